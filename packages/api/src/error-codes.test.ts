import { END_REASONS, REFUSAL_CODES } from "@codehands/contracts";
import { TRPCClientError } from "@trpc/client";
import { TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { toApiError } from "./api-error.ts";
import { type CloudCallCode, CloudCallError } from "./cloud-call-error.ts";
import { describeError, describeIssues, faultOf, toTrpcError } from "./error-codes.ts";

const thrown = (code: string, message = "what happened") => Object.assign(new Error(message), { code });
/** As tRPC hands over what a port threw. */
const wrapped = (cause: Error) => new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });

describe("faults", () => {
  test("every code that a part below the ports has is no bug, and keeps its sentence", () => {
    const device = ["no_account", "no_keys", "broken_store", "unknown_device", "revoked", "stopped", "refused"];
    const daemon = ["database_newer", "database_damaged", "database_unreadable", "closed", "command_failed"];
    const sync = ["bad_reply", "too_large", "refused", "broken_store"];
    for (const code of [...REFUSAL_CODES, ...END_REASONS, "git_failed", ...device, ...daemon, ...sync]) {
      const error = toTrpcError(wrapped(thrown(code)));
      expect(error.code, code).not.toBe("INTERNAL_SERVER_ERROR");
      // Of this daemon's token alone.
      expect(error.code, code).not.toBe("UNAUTHORIZED");
      expect(describeError(error, "sessions.diff"), code).toBe("what happened");
      expect(faultOf(error.cause), code).toBe(code);
      // The client never takes it for a fault of ours.
      const seen = new TRPCClientError("what happened", {
        result: { error: { data: { code: error.code, fault: code } } },
      });
      expect(toApiError(seen).code, code).not.toBe("internal");
    }
  });

  test("what the cloud said, or did not say, is told as that", () => {
    const codes: Record<CloudCallCode, string> = {
      unreachable: "SERVICE_UNAVAILABLE",
      unavailable: "SERVICE_UNAVAILABLE",
      internal: "BAD_GATEWAY",
      bad_request: "BAD_GATEWAY",
      unauthorized: "PRECONDITION_FAILED",
      refused: "CONFLICT",
      too_large: "CONFLICT",
      too_many: "TOO_MANY_REQUESTS",
    };
    for (const [code, trpcCode] of Object.entries(codes)) {
      const error = toTrpcError(wrapped(new CloudCallError(code as CloudCallCode, "The cloud said so.")));
      expect({ code: error.code, fault: faultOf(error.cause) }).toEqual({ code: trpcCode, fault: code });
      expect(describeError(error, "sessions.events")).toBe("The cloud said so.");
    }
    // The same code of another part is a bug of it.
    expect(toTrpcError(wrapped(thrown("internal"))).code).toBe("INTERNAL_SERVER_ERROR");
  });

  test("a full disk and what does not verify have sentences for a person", () => {
    for (const code of ["SQLITE_FULL", "ENOSPC", "EDQUOT"]) {
      const error = toTrpcError(wrapped(thrown(code, "no space left on device, write")));
      expect({ code: error.code, fault: faultOf(error.cause) }).toEqual({
        code: "SERVICE_UNAVAILABLE",
        fault: "disk_full",
      });
      expect(describeError(error, "sessions.start")).toMatch(/^The disk is full\. .+ make room, then try again\.$/);
    }
    const broken = Object.assign(thrown("BAD_SEAL", "BAD_SEAL: record"), { name: "VaultError" });
    expect(describeError(toTrpcError(wrapped(broken)), "sessions.get")).toBe(
      "What came of the account does not verify (BAD_SEAL: record).",
    );
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
