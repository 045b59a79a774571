import { ApiError } from "@codehands/api/client";
import { END_REASONS, type EndReason, REFUSAL_CODES, SESSION_STATUSES, type SessionStatus } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { CliError } from "./cli-error.ts";
import { toCliError } from "./connect/to-cli-error.ts";
import { EXIT_CODES, exitOfSession, REASON_EXIT, REFUSAL_EXIT } from "./exit-code.ts";

const ended = (status: SessionStatus, reason: EndReason | null = null, supersededBy: string | null = null) =>
  exitOfSession({ status, reason, supersededBy });

describe("the exit code of wait and run", () => {
  test.each<[SessionStatus, EndReason | null, number]>([
    ["awaiting_approval", null, 0],
    ["approved", null, 0],
    ["failed", "agent_error", 6],
    ["failed", "no_result", 6],
    ["failed", "stalled", 6],
    ["failed", null, 6],
    ["stopped", "budget", 9],
    ["stopped", "rate_limited", 9],
    ["stopped", "usage_limit", 9],
    ["stopped", "wall_clock", 9],
    ["stopped", "auth_expired", 4],
    ["failed", "auth_expired", 4],
    ["stopped", "subscription_inactive", 4],
    ["rejected", null, 10],
    ["failed", "discarded", 10],
    ["stopped", "person", 8],
    ["failed", "cancelled", 8],
    ["stopped", null, 8],
    ["running", null, 8],
    ["queued", null, 8],
    ["failed", "superseded", 5],
    ["rejected", "superseded", 5],
  ])("%s %s is %d", (status, reason, code) => {
    expect(ended(status, reason)).toBe(code);
  });

  test("a session that another one continues is superseded, an approved one is done", () => {
    expect(ended("awaiting_approval", null, "other")).toBe(5);
    expect(ended("approved", null, "other")).toBe(0);
  });

  test("every status and reason has a code of the closed table", () => {
    for (const status of SESSION_STATUSES) {
      for (const reason of [null, ...END_REASONS])
        expect(Object.keys(EXIT_CODES)).toContain(String(ended(status, reason)));
    }
    expect(Object.keys(REASON_EXIT).sort()).toEqual([...END_REASONS].sort());
  });
});

describe("the exit code of a refusal", () => {
  const not5 = { repo_missing: 3, not_found: 3, trash_gone: 3, revoked: 4, not_allowed: 4 };
  test.each(REFUSAL_CODES)("%s", (code) => {
    expect(REFUSAL_EXIT[code]).toBe(Object.hasOwn(not5, code) ? not5[code as keyof typeof not5] : 5);
  });
});

describe("the exit code of a failed call", () => {
  test.each([
    ["unreachable", 7],
    ["unauthorized", 4],
    ["bad_request", 2],
    ["not_found", 3],
    ["refused", 5],
    ["internal", 1],
    ["version", 5],
  ] as const)("%s is %d", (code, exitCode) => {
    expect(toCliError(new ApiError(code, "a sentence"))).toMatchObject({ code, exitCode, message: "a sentence" });
  });

  test("a fault that is known by name keeps its name and its code", () => {
    const error = new ApiError("not_found", "gone", { fault: "trash_gone" });
    expect(toCliError(error)).toMatchObject({ code: "trash_gone", exitCode: 3 });
  });

  test("what nobody expected is 1, and an error of ours stays as it is", () => {
    expect(toCliError(new Error("odd"))).toMatchObject({ code: "unexpected", exitCode: 1 });
    const own = new CliError({ code: "x", exitCode: 9, message: "m" });
    expect(toCliError(own)).toBe(own);
  });
});
