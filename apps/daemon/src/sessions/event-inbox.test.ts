import type { RunnerEvent, RunnerEventType } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { makeUuidV7 } from "../database/uuid-v7.ts";
import { putRun, runsOf } from "../runs/run-rows.ts";
import { createEventInbox, type EventInbox } from "./event-inbox.ts";
import { readEvents } from "./read-events.ts";
import { createSessionBus } from "./session-bus.ts";
import { statusOf } from "./session-rows.ts";
import { makeStore, type TestStore } from "./session-store.test-kit.ts";

let s: TestStore;
let inbox: EventInbox;
let pokes: string[];
let elapsed: number;

beforeEach(() => {
  s = makeStore();
  pokes = [];
  elapsed = 1_000;
  const bus = createSessionBus(() => {});
  bus.subscribe(null, (id) => pokes.push(id));
  inbox = createEventInbox({
    store: s.store,
    bus,
    clock: () => "2026-01-01T00:00:00.000Z",
    newId: makeUuidV7(),
    deviceId: "device",
    warn: () => {},
    pace: { elapsed: () => elapsed, groupMs: 20, retryMs: 5, looseMs: 60_000 },
  });
});
afterEach(() => {
  inbox.close();
  s.close();
});

function begin(): string {
  const id = s.add();
  inTransaction(s.store, (tx) =>
    putRun(tx, {
      id: `run-${id}`,
      sessionId: id,
      ordinal: 1,
      phase: "single",
      kind: "start",
      model: null,
      prompt: null,
      state: "live",
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
    }),
  );
  inbox.begin(id);
  return id;
}
const event = (sessionId: string, seq: number, type: RunnerEventType): RunnerEvent => ({
  sessionId,
  seq,
  type,
  at: "2026-01-01T00:00:00.000Z",
  payload: {},
});
const position = (sessionId: string, byteOffset: number) => ({ sessionId, runId: `run-${sessionId}`, byteOffset });
const stored = (id: string) => readEvents(s.store, { sessionId: id, afterSeq: 0, limit: 1_000 }).events.length;
const offset = (id: string) => runsOf(s.store, id)[0]?.byteOffset;

describe("the position rule", () => {
  test("events of a line wait for its position and are stored in one transaction with it", () => {
    const id = begin();
    inbox.take(event(id, 1, "task.started"));
    inbox.take(event(id, 2, "message"));
    expect([stored(id), offset(id)]).toEqual([0, 0]);
    inbox.position(position(id, 120));
    expect([stored(id), offset(id)]).toEqual([2, 120]);
    expect(pokes).toEqual([id]);
    const runIds = s.store.prepare("select distinct run_id from events").pluck().all();
    expect(runIds).toEqual([`run-${id}`]);
  });

  test("a position of a line without events goes with the next commit", async () => {
    const id = begin();
    inbox.position(position(id, 50));
    expect(offset(id)).toBe(0);
    await inbox.end(id);
    expect(offset(id)).toBe(50);
  });

  test("the last event of a run commits at once, with what waits before it", () => {
    const id = begin();
    inbox.take(event(id, 1, "task.started"));
    inbox.take(event(id, 2, "task.finished"));
    expect(stored(id)).toBe(2);
    expect(statusOf(s.store, id)).toBe("awaiting_approval");
  });
});

describe("leading edge", () => {
  test("the first event after a quiet moment is stored at once, the next ones in a group", async () => {
    const id = begin();
    inbox.take(event(id, 1, "task.started"));
    inbox.position(position(id, 10));
    expect(stored(id)).toBe(1);
    inbox.take(event(id, 2, "message"));
    inbox.position(position(id, 20));
    inbox.take(event(id, 3, "message"));
    inbox.position(position(id, 30));
    expect(stored(id)).toBe(1);
    await vi.waitFor(() => expect(stored(id)).toBe(3), 20_000);
    expect(pokes).toHaveLength(2);
    elapsed += 1_000;
    inbox.take(event(id, 4, "message"));
    inbox.position(position(id, 40));
    expect(stored(id)).toBe(4);
  });
});

describe("what must not be stored", () => {
  test("a number out of order and a forbidden move are refused when they are taken", () => {
    const id = begin();
    expect(() => inbox.take(event(id, 2, "message"))).toThrow(/next number/);
    inbox.take(event(id, 1, "task.started"));
    inbox.take(event(id, 2, "task.stopped"));
    expect(() => inbox.take(event(id, 3, "task.finished"))).toThrow(/cannot move/);
    expect(stored(id)).toBe(2);
  });

  test("a fault of one session's events is told to its iterator and holds no other session back", async () => {
    const [good, bad] = [begin(), begin()];
    s.store.sqlite.exec(
      `create temp trigger t before insert on events when new.session_id = '${bad}' begin select raise(abort, 'no'); end`,
    );
    for (const id of [bad, good]) inbox.take(event(id, 1, "task.started"));
    inbox.position(position(bad, 10));
    inbox.position(position(good, 10));
    await vi.waitFor(() => expect(stored(good)).toBe(1), 20_000);
    expect(() => inbox.take(event(bad, 2, "message"))).toThrow(/no/);
    await expect(inbox.end(bad)).rejects.toThrow(/no/);
    expect(stored(bad)).toBe(0);
  });

  test("an event of the daemon's own is refused while the session is being read", async () => {
    const id = begin();
    const own = { sessionId: id, type: "task.failed", payload: { reason: "cancelled" } };
    expect(() => inbox.append(own)).toThrow(/being read/);
    await inbox.end(id);
    inbox.append(own);
    expect(statusOf(s.store, id)).toBe("failed");
  });
});

test("F05: on a full disk nothing is lost, nobody has room, and it goes on by itself when there is space", async () => {
  const id = begin();
  const pages = s.store.sqlite.pragma("page_count", { simple: true }) as number;
  s.store.sqlite.pragma(`max_page_count = ${pages}`);
  inbox.take({ ...event(id, 1, "task.started"), payload: { text: "x".repeat(20_000) } });
  inbox.position(position(id, 10));
  expect([stored(id), offset(id)]).toEqual([0, 0]);
  let hasRoom = false;
  const room = inbox.room(id).then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  s.store.sqlite.pragma("max_page_count = 1073741823");
  await room;
  expect([stored(id), offset(id)]).toEqual([1, 10]);
  expect(s.store.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
});

test("closed, it stores what is complete and leaves the rest to be read again", () => {
  const id = begin();
  inbox.take(event(id, 1, "task.started"));
  inbox.position(position(id, 10));
  inbox.take(event(id, 2, "message"));
  inbox.close();
  expect([stored(id), offset(id)]).toEqual([1, 10]);
  expect(() => inbox.take(event(id, 3, "message"))).toThrow(/stopping/);
});
