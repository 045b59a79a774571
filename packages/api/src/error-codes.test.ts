import { REFUSAL_CODES } from "@codehands/contracts";
import { TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeError, describeIssues, faultOf, toTrpcError } from "./error-codes.ts";

const thrown = (code: string, message = "what happened") => Object.assign(new Error(message), { code });
/** As tRPC hands over what a port threw. */
const wrapped = (cause: Error) => new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });

describe("faults", () => {
  test("every refusal code that a port throws is no bug and keeps its sentence", () => {
    for (const code of REFUSAL_CODES) {
      const error = toTrpcError(wrapped(thrown(code)));
      expect(error.code, code).not.toBe("INTERNAL_SERVER_ERROR");
      expect(describeError(error, "sessions.diff")).toBe("what happened");
      expect(faultOf(error.cause)).toBe(code);
    }
  });

  test("each kind of fault has its tRPC code", () => {
    expect(toTrpcError(wrapped(thrown("repo_missing"))).code).toBe("NOT_FOUND");
    expect(toTrpcError(wrapped(thrown("not_a_repo"))).code).toBe("BAD_REQUEST");
    expect(toTrpcError(wrapped(thrown("agent_may_not"))).code).toBe("FORBIDDEN");
    expect(toTrpcError(wrapped(thrown("stale_tree"))).code).toBe("CONFLICT");
    expect(toTrpcError(wrapped(thrown("disk_full"))).code).toBe("SERVICE_UNAVAILABLE");
  });

  test("anything else is a bug, and its words stay inside", () => {
    for (const cause of [new Error("token=abc"), thrown("constructor"), thrown("ENOENT")]) {
      const error = toTrpcError(wrapped(cause));
      expect(error.code).toBe("INTERNAL_SERVER_ERROR");
      expect(describeError(error, "sessions.list")).toBe(
        "A fault of ours stopped sessions.list. Its details are in the log.",
      );
    }
    expect(toTrpcError("no error at all").code).toBe("INTERNAL_SERVER_ERROR");
  });

  test("a tRPC error of ours stays as it is", () => {
    const ours = new TRPCError({ code: "NOT_FOUND", message: "There is no session." });
    expect(toTrpcError(ours)).toBe(ours);
    expect(toTrpcError(wrapped(ours))).toBe(ours);
  });
});

test("what is wrong with an input is one sentence that names at most three fields", () => {
  const shape = z.object({ a: z.string(), b: z.object({ c: z.number() }), d: z.string(), e: z.string() });
  const { error } = shape.safeParse({ b: {} });
  const sentence = describeIssues(error as z.ZodError);
  expect(sentence).toMatch(/^The request is not valid\. a: .+; b\.c: .+; d: .+; and 1 more$/);
  expect(sentence).not.toContain("{");
});
