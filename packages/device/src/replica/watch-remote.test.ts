import type { WatchFrame } from "@codehands/api";
import { expect, test, vi } from "vitest";
import { LAPTOP, linesOf, macAt, replicaWorld, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

const ID = sessionId(1);
const signed = (lastSeq: number, status = "running") => ({
  lastSeq,
  tailMac: macAt(ID, lastSeq),
  status,
  rev: lastSeq,
});

/** What a frame is about, in short. */
const nameOf = (frame: WatchFrame): string =>
  frame.kind === "event" ? `event ${frame.event.seq}` : `session ${frame.session.status}`;

/** Collects frames until the one with this name. */
async function framesUntil(frames: AsyncIterator<WatchFrame>, name: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const next = await frames.next();
    if (next.done) return [...seen, "end"];
    seen.push(nameOf(next.value));
    if (seen.at(-1) === name) return seen;
  }
}

function watching(afterSeq = 0) {
  const world = replicaWorld();
  const stop = new AbortController();
  const port = createReplicaSessions(world.deps);
  const start = () => port.watch({ sessionId: ID, afterSeq }, stop.signal)[Symbol.asyncIterator]();
  return { ...world, stop, start };
}

test("first the session, then the stored events, then each new one, dense and in order", async () => {
  const { laptop, start, stop, store } = watching();
  await laptop.session(1, signed(450));
  await laptop.row(ID, 450);
  await laptop.arrives(ID, linesOf(1, 450));
  const frames = start();
  expect(await framesUntil(frames, "event 450")).toEqual([
    "session running",
    ...linesOf(1, 450).map((_, i) => `event ${i + 1}`),
  ]);
  const more = framesUntil(frames, "event 452");
  await laptop.arrives(ID, linesOf(451, 451));
  await laptop.arrives(ID, linesOf(452, 452));
  expect(await more).toEqual(["event 451", "event 452"]);
  expect((await store.logOf(ID))?.followed).toBe(true);
  stop.abort();
  expect(await framesUntil(frames, "")).toEqual(["end"]);
});

test("events that were seen are not told again", async () => {
  const { laptop, start, stop } = watching(3);
  await laptop.session(1, signed(5));
  await laptop.row(ID, 5);
  await laptop.arrives(ID, linesOf(1, 5));
  expect(await framesUntil(start(), "event 5")).toEqual(["session running", "event 4", "event 5"]);
  stop.abort();
});

test("a session that changed is told behind the events that led to it, and once", async () => {
  const { laptop, start, stop } = watching();
  await laptop.session(1, signed(1));
  await laptop.row(ID, 1);
  await laptop.arrives(ID, linesOf(1, 1));
  const frames = start();
  expect(await framesUntil(frames, "event 1")).toEqual(["session running", "event 1"]);
  const more = framesUntil(frames, "session awaiting_approval");
  await laptop.session(1, signed(3, "awaiting_approval"));
  await laptop.row(ID, 3);
  await laptop.arrives(ID, linesOf(2, 3));
  expect(await more).toEqual(["event 2", "event 3", "session awaiting_approval"]);
  const last = framesUntil(frames, "event 4");
  await laptop.row(ID, 4);
  await laptop.arrives(ID, linesOf(4, 4));
  expect(await last).toEqual(["event 4"]);
  stop.abort();
});

test("a session is told without its events when they do not come", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const { laptop, start, stop } = watching();
    await laptop.session(1, signed(0));
    const frames = start();
    expect(await framesUntil(frames, "session running")).toEqual(["session running"]);
    const more = framesUntil(frames, "session failed");
    await laptop.session(1, signed(5, "failed"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await more).toEqual(["session failed"]);
    stop.abort();
  } finally {
    vi.useRealTimers();
  }
});

test("V21 events that never come are told while somebody watches", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let now = "2026-03-01T11:00:01.000Z";
    const { laptop, deps } = replicaWorld({ clock: () => now });
    const stop = new AbortController();
    await laptop.session(1, signed(5));
    const watched = createReplicaSessions(deps).watch({ sessionId: ID, afterSeq: 0 }, stop.signal);
    const frames = watched[Symbol.asyncIterator]();
    const warning = async () => {
      const { value } = await frames.next();
      return value?.kind === "session" ? value.session.remote?.warning : "no session";
    };
    expect(await warning()).toBeNull();
    const told = warning();
    now = "2026-03-01T11:01:00.000Z";
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await told).toBe("5 events of this session have not been delivered.");
    stop.abort();
  } finally {
    vi.useRealTimers();
  }
});

test("opening it wakes the sync, and the log that it asks for is its owner's", async () => {
  const { laptop, start, stop, store, woken } = watching();
  await laptop.session(1);
  await framesUntil(start(), "session awaiting_approval");
  // The first frame comes when the log has been asked for.
  expect(woken.count).toBe(1);
  expect(await store.logOf(ID)).toMatchObject({ writer: LAPTOP, followed: true });
  stop.abort();
});

test("an unknown session ends at once, and so does what was aborted before", async () => {
  const { start, stop, laptop } = watching();
  expect(await framesUntil(start(), "")).toEqual(["end"]);
  await laptop.session(1);
  stop.abort();
  expect(await framesUntil(start(), "")).toEqual(["end"]);
});

test("a slow reader loses nothing and keeps nobody waiting", async () => {
  const { laptop, start, stop } = watching();
  await laptop.session(1, signed(0));
  const frames = start();
  await framesUntil(frames, "session running");
  for (let seq = 1; seq <= 50; seq++) await laptop.arrives(ID, linesOf(seq, seq));
  expect(await framesUntil(frames, "event 50")).toEqual(linesOf(1, 50).map((_, i) => `event ${i + 1}`));
  stop.abort();
});
