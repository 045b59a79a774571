import { describe, expect, test } from "vitest";
import { anEvent, aSession, SESSION_ID } from "../memory-ports.test-kit.ts";
import type { WatchFrame } from "../schemas/session.ts";
import { resumeAfter, watchFrames } from "./watch-frames.ts";

async function* given(...frames: (number | "session")[]): AsyncGenerator<WatchFrame> {
  for (const each of frames)
    yield each === "session" ? { kind: "session", session: aSession() } : { kind: "event", event: anEvent(each) };
}

const ids = async (frames: AsyncIterable<WatchFrame>, afterSeq: number): Promise<string[]> => {
  const seen: string[] = [];
  for await (const { id, frame } of watchFrames(frames, afterSeq)) seen.push(`${frame.kind} ${id}`);
  return seen;
};

describe("watching", () => {
  test("every frame carries the seq of the newest event sent, so that a cut connection goes on after it", async () => {
    expect(await ids(given("session", 1, 2, "session", 3), 0)).toEqual([
      "session 0",
      "event 1",
      "event 2",
      "session 2",
      "event 3",
    ]);
  });

  test("I1: an event that was sent already is left out", async () => {
    expect(await ids(given(2, 3, 3, 4), 2)).toEqual(["event 3", "event 4"]);
  });

  test("I1: a missing event is a fault, never a silent gap", async () => {
    await expect(ids(given(1, 3), 0)).rejects.toThrow("event 2 is missing before 3");
    await expect(ids(given(6), 4)).rejects.toThrow("event 5 is missing before 6");
  });

  test("a reconnect goes on from where it was cut, never from further back", () => {
    const ask = { sessionId: SESSION_ID, afterSeq: 5 };
    expect(resumeAfter(ask)).toBe(5);
    expect(resumeAfter({ ...ask, lastEventId: "9" })).toBe(9);
    expect(resumeAfter({ ...ask, lastEventId: "0" })).toBe(5);
  });
});
