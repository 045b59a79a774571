import type { Run } from "@codehands/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { setRunOffset } from "../runs/run-rows.ts";
import { readSession, statusOf } from "../sessions/session-rows.ts";
import { makeStore, type TestStore } from "../sessions/session-store.test-kit.ts";
import { createSessionRecords, type DaemonRecords } from "./session-records.ts";

let s: TestStore;
let id: string;
let records: DaemonRecords;
let lived: string[];

beforeEach(() => {
  s = makeStore();
  id = s.add();
  lived = [];
  records = createSessionRecords({
    store: s.store,
    inbox: { statusOf: (sessionId) => statusOf(s.store, sessionId) },
    onLive: (_tx, run) => lived.push(run.id),
    onStored: () => {},
  });
});
afterEach(() => s.close());

const run = (over: Partial<Run> = {}): Run => ({
  id: "run",
  sessionId: id,
  ordinal: 1,
  phase: "single",
  kind: "start",
  model: null,
  prompt: null,
  state: "spawning",
  pid: null,
  pgid: null,
  startTicks: null,
  bootId: null,
  byteOffset: 0,
  errOffset: 0,
  exitCode: null,
  signal: null,
  costUsd: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: null,
  ...over,
});

test("create completes the stored row of a queued session and keeps what the runner did not say", () => {
  const record = records.get(id);
  if (record === undefined) throw new Error("no record");
  records.create({ ...record, branch: "codehands/x", phases: { plan: { model: "m" } }, testCommands: ["npm test"] });
  expect(records.get(id)).toMatchObject({
    title: "Work",
    branch: "codehands/x",
    phases: { plan: { model: "m" } },
    testCommands: ["npm test"],
  });
  expect(() => records.create({ ...record, sessionId: "other" })).toThrow(/no session/);
});

test("an update stores facts, never the number of the newest event, and null takes a fact back", () => {
  records.update(id, { costUsd: 1, worktree: "/w", lastSeq: 99 });
  expect(readSession(s.store, id)).toMatchObject({ costUsd: 1, worktree: "/w", lastSeq: 0 });
  records.update(id, { worktree: null });
  expect(records.get(id)?.worktree).toBeNull();
});

test("move only checks: it refuses the forbidden, remembers what it granted, and stores nothing", () => {
  expect(() => records.move(id, "approved")).toThrow(/cannot become approved/);
  records.move(id, "running");
  records.move(id, "running");
  records.move(id, "stopped");
  expect(records.status(id)).toBe("stopped");
  expect(statusOf(s.store, id)).toBe("queued");
  records.settle(id);
  expect(records.status(id)).toBe("queued");
});

test("a live run makes its session running in the same transaction; one that only spawns does not", () => {
  records.putRun(run());
  expect(statusOf(s.store, id)).toBe("queued");
  records.putRun(run({ state: "live", pid: 7 }));
  expect(statusOf(s.store, id)).toBe("running");
  expect(readSession(s.store, id)?.startedAt).toBe("2026-01-01T00:00:00.000Z");
  expect(lived).toEqual(["run"]);
});

test("a runner cannot turn back how far a run's output is stored", () => {
  records.putRun(run());
  inTransaction(s.store, (tx) => setRunOffset(tx, "run", 500));
  records.putRun(run({ state: "ended", byteOffset: 20, exitCode: 0 }));
  expect(records.runs(id)).toMatchObject([{ byteOffset: 500, state: "ended", exitCode: 0 }]);
});
