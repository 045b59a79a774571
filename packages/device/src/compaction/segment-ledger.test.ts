import { expect, test } from "vitest";
import { type CloudSegment, SegmentLedger } from "./segment-ledger.ts";

const one = (from: number, to = from, bytes: number | null = 10): CloudSegment => ({ from, to, epoch: 1, bytes });
const rangesOf = (ledger: SegmentLedger, id = "s"): number[][] => ledger.of(id).map(({ from, to }) => [from, to]);

test("S20 what was pushed and put together is known; what a restored cloud gets again takes its place", () => {
  const ledger = new SegmentLedger();
  for (const seq of [1, 2, 3, 4]) ledger.pushed("s", [one(seq)]);
  ledger.compacted("s", { from: 1, to: 3 });
  expect(ledger.of("s")).toEqual([one(1, 3, 30), one(4)]);
  ledger.pushed("s", [one(3, 9)]);
  expect(rangesOf(ledger)).toEqual([[3, 9]]);
});

test("S20 a log is open until it is closed or forgotten, and again with the next push", () => {
  const ledger = new SegmentLedger();
  ledger.pushed("s", [one(1)]);
  expect(ledger.open()).toEqual(["s"]);
  ledger.close("s");
  expect(ledger.open()).toEqual([]);
  ledger.pushed("s", [one(2)]);
  expect([ledger.open(), rangesOf(ledger)]).toEqual([["s"], [[1], [2]].map(([seq = 0]) => [seq, seq])]);
  ledger.forget("s");
  expect([ledger.open(), ledger.of("s"), ledger.wasAsked("s")]).toEqual([[], [], true]);
});

test("S20 what the cloud says it has takes the place of what was known; bytes that were counted stay", () => {
  const ledger = new SegmentLedger();
  ledger.pushed("s", [one(5, 5, null)]);
  ledger.counted("s", 5, 77);
  expect(ledger.wasAsked("s")).toBe(false);
  ledger.askedFor("s", [one(1, 4, null), one(5, 5, null)]);
  expect(ledger.of("s")).toEqual([one(1, 4, null), one(5, 5, 77)]);
  expect(ledger.wasAsked("s")).toBe(true);
});

test("S20 of very many logs the newest are known", () => {
  const ledger = new SegmentLedger();
  for (let n = 1; n <= 600; n++) ledger.pushed(`s${n}`, [one(1)]);
  expect(ledger.open()).toHaveLength(500);
  expect([ledger.of("s100"), rangesOf(ledger, "s600")]).toEqual([[], [[1, 1]]]);
});
