import { describe, expect, it } from "vitest";
import { EventSequence } from "./events.ts";

const clock = () => "2026-11-30T12:00:00.000Z";

describe("EventSequence", () => {
  it("numbers 1, 2, 3 without a gap and stamps each event", () => {
    const events = new EventSequence("s", { clock });
    expect(events.next("message", { text: "a" })).toEqual({
      sessionId: "s",
      seq: 1,
      type: "message",
      at: clock(),
      payload: { text: "a" },
    });
    expect(events.next("message", { text: "b" }, { line: 1 })).toMatchObject({ seq: 2, raw: { line: 1 } });
    expect(events.lastSeq).toBe(2);
  });

  it("goes on after the seq that is stored already", () => {
    expect(new EventSequence("s", { afterSeq: 41, clock }).next("message", { text: "x" }).seq).toBe(42);
  });

  it("refuses to begin at a number that is no seq", () => {
    for (const afterSeq of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new EventSequence("s", { afterSeq })).toThrow(RangeError);
    }
  });

  it("keeps no reference to the payload it was given", () => {
    const payload = { text: "before" };
    const event = new EventSequence("s", { clock }).next("message", payload);
    payload.text = "after";
    expect(event.payload).toEqual({ text: "before" });
  });
});
