import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchFrame } from "@codehands/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome, removeHome, type SupervisedHome } from "../supervisor/supervised-home.test-kit.ts";
import { createSessionBus } from "./session-bus.ts";

let home: SupervisedHome;

beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

/** Reads frames until the session has the status, then leaves. */
async function watchUntil(sessionId: string, status: string, afterSeq = 0): Promise<WatchFrame[]> {
  const frames: WatchFrame[] = [];
  const stop = new AbortController();
  for await (const frame of home.sessions.watch({ sessionId, afterSeq }, stop.signal)) {
    frames.push(frame);
    if (frame.kind === "session" && frame.session.status === status) stop.abort();
  }
  return frames;
}
const seqs = (frames: WatchFrame[]) => frames.flatMap((frame) => (frame.kind === "event" ? [frame.event.seq] : []));

test("hands out every event once and in order, stored ones and new ones, and the session after its events", async () => {
  const { id } = await home.begin(["Work", "say one", "wait go", "pair two", "finish"]);
  await home.until(id, "running");
  const watching = watchUntil(id, "awaiting_approval");
  writeFileSync(join(home.dir, "go"), "");
  const frames = await watching;
  expect(seqs(frames)).toEqual([1, 2, 3, 4, 5, 6]);
  const last = frames.at(-1);
  expect(last?.kind === "session" && last.session.lastSeq).toBe(6);
});

test("goes on after a number: nothing twice, nothing left out", async () => {
  const { id } = await home.begin(["Work", "say one", "say two", "finish"]);
  await home.until(id, "awaiting_approval");
  expect(seqs(await watchUntil(id, "awaiting_approval", 2))).toEqual([3, 4]);
});

test("a slow reader of a long log gets all of it; a watch that left is forgotten (F33)", async () => {
  const lines = Array.from({ length: 450 }, (_, n) => `say ${n}`);
  const { id } = await home.begin(["Work", ...lines, "finish"]);
  const frames = await watchUntil(id, "awaiting_approval");
  expect(seqs(frames)).toEqual(Array.from({ length: 452 }, (_, n) => n + 1));
});

test("a session that does not exist ends the watch at once; an aborted watch ends while it waits", async () => {
  const never = new AbortController();
  const frames: WatchFrame[] = [];
  for await (const frame of home.sessions.watch({ sessionId: randomUUID(), afterSeq: 0 }, never.signal))
    frames.push(frame);
  expect(frames).toEqual([]);

  const { id } = await home.begin(["Work", "wait never"]);
  await home.until(id, "running");
  const stop = new AbortController();
  const reading = (async () => {
    for await (const frame of home.sessions.watch({ sessionId: id, afterSeq: 0 }, stop.signal)) {
      if (frame.kind === "session") setImmediate(() => stop.abort());
    }
  })();
  await reading;
  await home.sessions.stop(home.about(id), { runId: null });
});

test("the bus keeps no listener that left, and one that throws hinders no other", () => {
  const faults: unknown[] = [];
  const bus = createSessionBus((error) => faults.push(error));
  const heard: string[] = [];
  const leave = [
    bus.subscribe("a", () => {
      throw new Error("broken");
    }),
    bus.subscribe("a", (id) => heard.push(id)),
    bus.subscribe(null, (id) => heard.push(`all ${id}`)),
  ];
  bus.poke("a");
  bus.poke("b");
  expect(heard).toEqual(["a", "all a", "all b"]);
  expect(faults).toHaveLength(1);
  for (const go of leave) go();
  expect(bus.size()).toBe(0);
});
