import { describe, expect, test } from "vitest";
import {
  COMMAND_TABLE,
  type CommandSubject,
  canTransition,
  decideCommand,
  RUNNER_EVENT_TYPES,
  SESSION_STATUSES,
  SESSION_TRANSITIONS,
  type SessionCommandKind,
} from "./index.ts";

const LEGAL = [
  "queued→running",
  "queued→failed",
  "running→stopped",
  "running→awaiting_approval",
  "running→failed",
  "stopped→running",
  "stopped→failed",
  "awaiting_approval→approved",
  "awaiting_approval→rejected",
  "awaiting_approval→failed",
];

describe("the moves of a session", () => {
  test("all 49 pairs: exactly the legal moves are legal", () => {
    const found = SESSION_STATUSES.flatMap((from) =>
      SESSION_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from}→${to}`),
    );
    expect(found.sort()).toEqual([...LEGAL].sort());
  });

  test("a final status has no way out", () => {
    const final = SESSION_STATUSES.filter((status) => SESSION_TRANSITIONS[status].length === 0);
    expect(final).toEqual(["approved", "rejected", "failed"]);
  });
});

test("the event types are the ten of 0.1.0 and provider.status", () => {
  expect(RUNNER_EVENT_TYPES).toEqual([
    "task.started",
    "message",
    "file.read",
    "file.changed",
    "command.started",
    "command.finished",
    "test.result",
    "task.finished",
    "task.failed",
    "task.stopped",
    "provider.status",
  ]);
});

const KINDS = Object.keys(COMMAND_TABLE.queued) as SessionCommandKind[];
const subject = (over: Partial<CommandSubject> = {}): CommandSubject => ({
  id: "3f0f3e1e-0000-4000-8000-000000000000",
  status: "awaiting_approval",
  treeId: "t1",
  approvedTreeId: null,
  supersededBy: null,
  rev: 1,
  reason: null,
  ...over,
});

describe("which command is legal when", () => {
  // D = done, A = same answer again, a code = refused. Written by hand from the contract, not from the table.
  const expected: Record<string, Record<SessionCommandKind, string>> = {
    queued: {
      start: "already_running",
      stop: "D",
      resume: "illegal_move",
      approve: "illegal_move",
      reject: "illegal_move",
      continue: "illegal_move",
      undo: "illegal_move",
      discard: "D",
    },
    running: {
      start: "already_running",
      stop: "D",
      resume: "already_running",
      approve: "illegal_move",
      reject: "illegal_move",
      continue: "illegal_move",
      undo: "illegal_move",
      discard: "illegal_move",
    },
    stopped: {
      start: "already_running",
      stop: "illegal_move",
      resume: "D",
      approve: "illegal_move",
      reject: "illegal_move",
      continue: "D",
      undo: "illegal_move",
      discard: "D",
    },
    awaiting_approval: {
      start: "already_running",
      stop: "illegal_move",
      resume: "illegal_move",
      approve: "D",
      reject: "D",
      continue: "D",
      undo: "illegal_move",
      discard: "D",
    },
    approved: {
      start: "already_running",
      stop: "illegal_move",
      resume: "illegal_move",
      approve: "A",
      reject: "illegal_move",
      continue: "D",
      undo: "illegal_move",
      discard: "D",
    },
    rejected: {
      start: "already_running",
      stop: "illegal_move",
      resume: "illegal_move",
      approve: "illegal_move",
      reject: "A",
      continue: "illegal_move",
      undo: "D",
      discard: "A",
    },
    failed: {
      start: "already_running",
      stop: "illegal_move",
      resume: "illegal_move",
      approve: "illegal_move",
      reject: "illegal_move",
      continue: "D",
      undo: "illegal_move",
      discard: "D",
    },
  };

  for (const status of SESSION_STATUSES) {
    for (const kind of KINDS) {
      test(`${kind} on a session that is ${status}`, () => {
        const decision = decideCommand(subject({ status }), { kind });
        const got = decision.ok ? (decision.again ? "A" : "D") : decision.code;
        expect(got).toBe(expected[status]?.[kind]);
      });
    }
  }

  test.each(KINDS)("%s without a session", (kind) => {
    const decision = decideCommand(null, { kind });
    expect(decision.ok ? "D" : decision.code).toBe(kind === "start" ? "D" : "not_found");
  });

  test("a refusal is a sentence that names the session and what stands in the way", () => {
    expect(decideCommand(subject({ status: "running" }), { kind: "approve" })).toEqual({
      ok: false,
      code: "illegal_move",
      reason: "Session 3f0f is running, so there is nothing to approve yet.",
      next: "wait",
    });
  });

  test("approve refuses another tree than the reviewed one", () => {
    const decision = decideCommand(subject(), { kind: "approve", treeId: "t0" });
    expect(decision).toMatchObject({ ok: false, code: "stale_tree" });
  });

  test("approve refuses a session that another one continues", () => {
    const decision = decideCommand(subject({ supersededBy: "aaaabbbb" }), { kind: "approve", treeId: "t1" });
    expect(decision).toMatchObject({ ok: false, code: "superseded" });
  });

  test("approve again with the same tree gives the same answer, with another tree it is refused", () => {
    const approved = subject({ status: "approved", approvedTreeId: "t1" });
    expect(decideCommand(approved, { kind: "approve", treeId: "t1" })).toEqual({ ok: true, again: true });
    expect(decideCommand(approved, { kind: "approve", treeId: "t2" })).toMatchObject({ code: "illegal_move" });
  });

  test("undo of a failed session only when it was discarded or superseded", () => {
    expect(decideCommand(subject({ status: "failed", reason: "discarded" }), { kind: "undo" }).ok).toBe(true);
    expect(decideCommand(subject({ status: "failed", reason: "agent_error" }), { kind: "undo" }).ok).toBe(false);
  });

  test("a command is refused when the status is not what its sender saw", () => {
    const decision = decideCommand(subject(), { kind: "reject" }, { status: ["stopped"] });
    expect(decision).toMatchObject({ ok: false, code: "illegal_move" });
  });
});
