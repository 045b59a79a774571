import { PUSH_LIMITS } from "@codehands/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT_REST, MOST_BYTES, planCompaction, WHILE_IT_GROWS } from "./plan-compaction.ts";
import { type CloudSegment, SegmentLedger } from "./segment-ledger.ts";

/** Neighbouring segments of so many events each, of 100 bytes an event. */
function segments(...sizes: number[]): CloudSegment[] {
  let next = 1;
  return sizes.map((size) => {
    const from = next;
    next += size;
    return { from, to: next - 1, epoch: 1, bytes: size * 100 };
  });
}
const ones = (count: number): number[] => Array.from({ length: count }, () => 1);

describe("S20 which segments become one", () => {
  test("S20 of a log that grows sixteen small ones, at rest four", () => {
    expect(planCompaction(segments(...ones(15)), WHILE_IT_GROWS)).toEqual([]);
    expect(planCompaction(segments(...ones(16)), WHILE_IT_GROWS)).toEqual([{ from: 1, to: 16 }]);
    expect(planCompaction(segments(...ones(3)), AT_REST)).toEqual([]);
    expect(planCompaction(segments(...ones(4)), AT_REST)).toEqual([{ from: 1, to: 4 }]);
  });
  test("S20 a large one is not sealed again for a few small ones behind it", () => {
    expect(planCompaction(segments(200, ...ones(16)), WHILE_IT_GROWS)).toEqual([{ from: 201, to: 216 }]);
    expect(planCompaction(segments(200, ...ones(5)), AT_REST)).toEqual([{ from: 201, to: 205 }]);
    expect(planCompaction(segments(16, 16, ...ones(20)), AT_REST)).toEqual([{ from: 1, to: 52 }]);
  });
  test("S20 no more events and bytes than one segment may hold", () => {
    expect(planCompaction(segments(...ones(1_500)), AT_REST)).toEqual([
      { from: 1, to: PUSH_LIMITS.events },
      { from: PUSH_LIMITS.events + 1, to: 1_500 },
    ]);
    const heavy = segments(...ones(8)).map((one) => ({ ...one, bytes: MOST_BYTES / 5 }));
    expect(planCompaction(heavy, AT_REST)).toEqual([{ from: 1, to: 5 }]);
  });
  test("S20 V12 two key epochs are never merged, nor what does not touch, nor what was not counted", () => {
    const all = segments(...ones(12));
    expect(
      planCompaction(
        all.map((one) => ({ ...one, epoch: one.from > 6 ? 2 : 1 })),
        AT_REST,
      ),
    ).toEqual([
      { from: 1, to: 6 },
      { from: 7, to: 12 },
    ]);
    const without = all.filter(({ from }) => from !== 7);
    expect(planCompaction(without, AT_REST)).toEqual([
      { from: 1, to: 6 },
      { from: 8, to: 12 },
    ]);
    const uncounted = all.map((one) => ({ ...one, bytes: one.from === 7 ? null : one.bytes }));
    expect(planCompaction(uncounted, AT_REST)).toEqual([
      { from: 1, to: 6 },
      { from: 8, to: 12 },
    ]);
  });
  test("S20 whatever the segments are, ranges tile whole ones of one epoch within the limits", () => {
    const segment = fc.record({
      size: fc.integer({ min: 1, max: 400 }),
      bytes: fc.nat(200_000),
      epoch: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 60 }), fc.constantFrom(AT_REST, WHILE_IT_GROWS), (made, gain) => {
        const all = segments(...made.map(({ size }) => size)).map((one, n) => ({
          ...one,
          bytes: made[n]?.bytes ?? 0,
          epoch: made[n]?.epoch ?? 1,
        }));
        let before = 0;
        for (const { from, to } of planCompaction(all, gain)) {
          const parts = all.filter((one) => one.from >= from && one.to <= to);
          const bytes = parts.reduce((sum, one) => sum + one.bytes, 0);
          expect([parts[0]?.from, parts.at(-1)?.to, from > before]).toEqual([from, to, true]);
          expect(new Set(parts.map(({ epoch }) => epoch)).size).toBe(1);
          expect(parts.length >= gain.least && bytes <= MOST_BYTES && to - from < PUSH_LIMITS.events).toBe(true);
          before = to;
        }
      }),
      { numRuns: 300 },
    );
  });
  test("S20 an event of a log that grows one by one is sealed again four times at most, and few segments lie there", () => {
    const ledger = new SegmentLedger();
    let sealedAgain = 0;
    let most = 0;
    for (let seq = 1; seq <= 3_000; seq++) {
      ledger.pushed("s", [{ from: seq, to: seq, epoch: 1, bytes: 100 }]);
      for (const range of planCompaction(ledger.of("s"), WHILE_IT_GROWS)) {
        ledger.compacted("s", range);
        sealedAgain += range.to - range.from + 1;
      }
      most = Math.max(most, ledger.of("s").length);
    }
    expect(sealedAgain / 3_000).toBeLessThan(4);
    expect(most).toBeLessThan(50);
  });
});
