import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import type { LogView, View } from "../ports/store.ts";
import { newSyncState } from "../ports/sync-state.ts";
import { heldLog, heldRecord, id, logRow, ME, mac, OTHER } from "../stores/store-rows.test-kit.ts";
import { countPending, planNext, planSettlement } from "./plan-next.ts";
import type { ProcessMemory } from "./process-memory.ts";

const memory = (change: Partial<ProcessMemory> = {}): ProcessMemory => ({
  boot: "b",
  hello: true,
  atHead: true,
  now: 0,
  probe: new Map(),
  rechained: null,
  stale: false,
  compactions: [],
  push: { events: 1_000, bytes: 1_000_000 },
  ...change,
});
const view = (change: Partial<View> = {}): View => ({
  state: { ...newSyncState(ME), epoch: "E", mode: null },
  records: new Map(),
  logs: new Map(),
  events: [],
  waiting: [],
  commands: [],
  ...change,
});
const withLogs = (...logs: LogView[]): View => view({ logs: new Map(logs.map((log) => [log.streamId, log])) });
const withState = (change: Partial<View["state"]>): View => view({ state: { ...view().state, ...change } });
const sendable: LogView = { ...heldLog({ lastSeq: 2, tailMac: mac(102) }), atRow: null };
const behind: LogView = { ...heldLog({ row: logRow(), streamId: id(21) }), atRow: null };
const edit = heldRecord({ dirty: "edit" });
const withRecord = (record: typeof edit): View => view({ records: new Map([["9", record]]) });

describe("T2 what to send next", () => {
  test("revoked → nothing", () =>
    expect(planNext(withState({ revoked: true }), memory())).toEqual({ do: "stop", why: "revoked" }));
  test("S3 copy → nothing, a person decides", () =>
    expect(planNext(withState({ copy: { seen: "x" } }), memory())).toEqual({ do: "stop", why: "copy" }));
  test("S1 not hello → hello", () => expect(planNext(view(), memory({ hello: false }))).toEqual({ do: "hello" }));
  test("S33 not at head → pull, before any push", () =>
    expect(planNext(withLogs(sendable), memory({ atHead: false }))).toEqual({ do: "pull" }));
  test("S10 in a reset → pull", () => {
    const reset = { since: null, reason: "lineage" as const };
    expect(planNext({ ...withLogs(sendable), state: { ...view().state, reset } }, memory())).toEqual({ do: "pull" });
  });
  test("S18 a log that differs → segments, before any push", () =>
    expect(planNext(withLogs(sendable, behind), memory())).toEqual({ do: "segments", log: behind, after: 0 }));
  test("S18 the search goes on where it stands", () =>
    expect(planNext(withLogs(behind), memory({ probe: new Map([[id(21), 7]]) }))).toMatchObject({ after: 7 }));
  test("sendable logs → push", () =>
    expect(planNext(withLogs(sendable), memory())).toEqual({
      do: "push",
      plan: { logs: [{ streamId: id(20), from: 1, to: 2, deleted: false }], records: [], again: false },
    }));
  test("dirty records → push", () =>
    expect(planNext(withRecord(edit), memory())).toMatchObject({
      do: "push",
      plan: { records: [{ kind: 9, id: id(10) }] },
    }));
  test("S26 a blocked record is skipped → wait", () =>
    expect(planNext(withRecord({ ...edit, blocked: "TOO_LARGE" }), memory())).toEqual({ do: "wait" }));
  test("S25 what only another may write waits for it → wait", () =>
    expect(
      planNext(withRecord({ ...edit, dirty: "salvage", kind: RECORD_KINDS.session, writer: OTHER }), memory()),
    ).toEqual({ do: "wait" }));
  test("S20 a compaction is due → compact, after the pushes", () => {
    const compactions = [{ streamId: id(20), from: 1, to: 9 }];
    expect(planNext(view(), memory({ compactions }))).toEqual({ do: "compact", ...compactions[0] });
    expect(planNext(withLogs(sendable), memory({ compactions }))).toMatchObject({ do: "push" });
  });
  test("else → wait", () => expect(planNext(view(), memory())).toEqual({ do: "wait" }));
});

describe("pushes hold what the cloud accepts", () => {
  test("1,000 events over all logs", () => {
    const big = { ...sendable, lastSeq: 700 };
    const second = { ...big, streamId: id(22) };
    expect(planNext(withLogs(big, second), memory())).toMatchObject({
      plan: {
        logs: [
          { from: 1, to: 700 },
          { from: 1, to: 300 },
        ],
      },
    });
  });
  test("records up to the bytes, at least one", () => {
    const large = heldRecord({ dirty: "edit", body: "x".repeat(600) });
    const records = new Map([1, 2, 3].map((n) => [String(n), { ...large, id: id(n) }]));
    const plan = (bytes: number) => planNext(view({ records }), memory({ push: { events: 9, bytes } }));
    expect(plan(2_100)).toMatchObject({ plan: { records: [{ id: id(1) }, { id: id(2) }] } });
    expect(plan(10)).toMatchObject({ plan: { records: [{ id: id(1) }] } });
  });
  test("S25 what a restored cloud lost goes by itself, marked `again`", () => {
    const lost = { ...sendable, lastSeq: 5, finalSeq: 3 };
    const both = { ...withLogs(lost, { ...sendable, streamId: id(22) }), records: new Map([["9", edit]]) };
    expect(planNext(both, memory())).toEqual({
      do: "push",
      plan: { logs: [{ streamId: id(20), from: 1, to: 3, deleted: false }], records: [], again: true },
    });
  });
});

describe("decisions that need no message", () => {
  const waits = { ...sendable, waiting: 1 };
  test("S34 none before the head is known", () => {
    expect(planSettlement(withLogs(waits), memory({ atHead: false }))).toBe(null);
    expect(planSettlement(withLogs(waits), memory({ hello: false }))).toBe(null);
  });
  test("S17 waiting events join", () =>
    expect(planSettlement(withLogs(waits), memory())).toEqual({ do: "log", log: waits, judgement: { do: "join" } }));
  test("V12 S33 after a change of the key unsent events are chained anew, once, and on common ground only", () => {
    const plan = (log: LogView, done: string[] = []) =>
      planSettlement(withLogs(log), memory({ rechained: new Set(done) }));
    expect(plan(sendable)).toEqual({ do: "rechain", log: sendable });
    expect(planSettlement(withLogs(sendable), memory())).toBe(null);
    expect(plan(sendable, [sendable.streamId])).toBe(null);
    expect(plan({ ...sendable, row: logRow({ lastSeq: 1 }), atRow: mac(9), pushedSeq: 1 })).toBe(null);
    expect(plan({ ...sendable, lastSeq: 3, row: logRow(), atRow: mac(102), pushedSeq: 2 })).toMatchObject({
      do: "rechain",
    });
    expect(plan({ ...sendable, finalSeq: 2 })).toBe(null);
    expect(plan({ ...sendable, writer: OTHER, mine: false, followed: true })).toBe(null);
  });
  test("pending counts what this device still has to send", () => {
    const foreign = { ...waits, streamId: id(22), writer: OTHER };
    const all = { ...withLogs(waits, foreign), records: new Map([["9", edit]]) };
    expect(countPending(all)).toEqual({ events: 3, records: 1 });
  });
});
