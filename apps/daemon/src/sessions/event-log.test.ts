import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listProviderStatus } from "../agents/provider-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { makeUuidV7 } from "../database/uuid-v7.ts";
import { appendEvents, type NewEvent, purgeRaw, sessionsWithRaw } from "./event-log.ts";
import { readEvents } from "./read-events.ts";
import { readSession } from "./session-rows.ts";
import { makeStore, type TestStore } from "./session-store.test-kit.ts";

let s: TestStore;
let id: string;
const context = { newId: makeUuidV7(), deviceId: "device" };

beforeEach(() => {
  s = makeStore();
  id = s.add();
});
afterEach(() => s.close());

const event = (seq: number, type: string, payload: Record<string, unknown> = {}): NewEvent => ({
  sessionId: id,
  seq,
  type,
  at: `2026-01-0${Math.min(seq, 9)}T00:00:00.000Z`,
  payload,
  raw: `line ${seq}`,
  runId: null,
});
const append = (...events: NewEvent[]) => inTransaction(s.store, (tx) => appendEvents(tx, events, context));
const all = (over = {}) => readEvents(s.store, { sessionId: id, afterSeq: 0, limit: 100, ...over });

describe("I1: numbers are dense", () => {
  test.each([0, 2, 5, -1])("event %i is refused as the first one and nothing of its batch is stored", (seq) => {
    expect(() => append(event(seq, "message"))).toThrow(/next one/);
    expect(all()).toEqual({ events: [], lastSeq: 0 });
  });

  test("a gap or a repetition within a batch takes the whole batch back", () => {
    append(event(1, "task.started"));
    expect(() => append(event(2, "message"), event(4, "message"))).toThrow(/event 3/);
    expect(() => append(event(2, "message"), event(2, "message"))).toThrow(/event 3/);
    expect(() => append(event(1, "message"))).toThrow(/event 2/);
    expect(all().lastSeq).toBe(1);
    expect(all().events).toHaveLength(1);
  });
});

test("an event is stored with status, cost, provider and raw line or not at all", () => {
  append(event(1, "task.started", { agentSessionId: "a", runId: "r" }));
  expect(() =>
    append(
      event(2, "provider.status", { state: "down", detail: "d" }),
      event(3, "task.started"),
      event(4, "nope"),
      event(5, "task.finished", { total_cost_usd: 1 }),
      event(6, "task.stopped"),
    ),
  ).toThrow(/cannot move/);
  expect(readSession(s.store, id)).toMatchObject({ status: "running", lastSeq: 1, costUsd: null, agentSessionId: "a" });
  expect(listProviderStatus(s.store, "device")).toEqual([]);

  append(
    event(2, "provider.status", { state: "down", detail: "d", retryAt: "later" }),
    event(3, "task.finished", { total_cost_usd: 1 }),
  );
  expect(readSession(s.store, id)).toMatchObject({ status: "awaiting_approval", lastSeq: 3, costUsd: 1 });
  expect(listProviderStatus(s.store, "device")).toMatchObject([{ agent: "sample", state: "ok" }]);
});

test("G23: an event of an unknown type is stored and handed out as it came", () => {
  append(event(1, "task.started"), event(2, "weather.changed", { sun: true }));
  expect(all().events[1]).toMatchObject({ seq: 2, type: "weather.changed", payload: { sun: true } });
});

test("C092: one unreadable payload is told as such and hides no other event", () => {
  append(event(1, "task.started"), event(2, "message", { text: "a" }), event(3, "message", { text: "b" }));
  s.store.sqlite.prepare("update events set payload = '{broken' where seq = 2").run();
  expect(all().events.map((one) => one.payload)).toEqual([{}, { unreadable: true }, { text: "b" }]);
});

test("pages: after a number, by type, the newest, with and without the agent's own lines", () => {
  append(event(1, "task.started"), ...[2, 3, 4, 5].map((seq) => event(seq, seq % 2 ? "message" : "file.read")));
  expect(all({ afterSeq: 2, limit: 2 }).events.map((one) => one.seq)).toEqual([3, 4]);
  expect(all({ types: ["message"] }).events.map((one) => one.seq)).toEqual([3, 5]);
  expect(all({ newest: true, limit: 2 }).events.map((one) => one.seq)).toEqual([4, 5]);
  expect(all({ raw: true }).events[0]?.raw).toBe("line 1");
  expect("raw" in (all().events[0] ?? {})).toBe(false);
});

test("the agent's own lines go after their time; the events stay", () => {
  append(event(1, "task.started"), event(2, "message"), event(3, "message"));
  const other = s.add({ createdAt: "2026-01-09T00:00:00.000Z" });
  expect(sessionsWithRaw(s.store, "2026-01-03T00:00:00.000Z")).toEqual([id]);
  expect(inTransaction(s.store, (tx) => purgeRaw(tx, id, "2026-01-03T00:00:00.000Z"))).toBe(2);
  expect(inTransaction(s.store, (tx) => purgeRaw(tx, other, "2026-01-03T00:00:00.000Z"))).toBe(0);
  expect(all({ raw: true }).events.map((one) => one.raw)).toEqual([undefined, undefined, "line 3"]);
});
