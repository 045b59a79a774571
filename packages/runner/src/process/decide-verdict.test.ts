import { describe, expect, test } from "vitest";
import { decideVerdict, type WatchFacts } from "./decide-verdict.ts";

const limits = {
  firstLineMs: 60_000,
  idleMs: 600_000,
  wallMs: 14_400_000,
  maxOutputBytes: 2_000,
  diskFloorBytes: 500,
  lingerMs: 10_000,
};
const fine: WatchFacts = { elapsedMs: 100_000, quietMs: 0, outputBytes: 10, freeBytes: 501, openAfterResult: null };

describe("decideVerdict", () => {
  test.each<[string, Partial<WatchFacts>, string | null]>([
    ["nothing wrong", {}, null],
    ["no output for a minute", { outputBytes: 0, elapsedMs: 60_000 }, "no_first_line"],
    ["no output just below a minute", { outputBytes: 0, elapsedMs: 59_999 }, null],
    ["C002: quiet for ten minutes", { quietMs: 600_000 }, "stalled"],
    ["quiet a little less", { quietMs: 599_999 }, null],
    ["four hours", { elapsedMs: 14_400_000 }, "wall_clock"],
    ["output at its bound", { outputBytes: 2_000 }, null],
    ["output over its bound", { outputBytes: 2_001 }, "output_limit"],
    ["disk below the floor", { freeBytes: 499 }, "disk_full"],
    ["disk not known", { freeBytes: null }, null],
    ["quiet for 10 s after a result", { openAfterResult: 0, quietMs: 10_000 }, "lingering"],
    ["quiet for 10 s with a task open", { openAfterResult: 1, quietMs: 10_000 }, null],
    ["quiet for 10 s without a result", { quietMs: 10_000 }, null],
    ["quiet for ten minutes with a task open", { openAfterResult: 1, quietMs: 600_000 }, "stalled"],
    [
      "several at once: the disk first",
      { freeBytes: 0, outputBytes: 9_999, quietMs: 9e9, elapsedMs: 9e9 },
      "disk_full",
    ],
  ])("%s", (_, change, verdict) => {
    expect(decideVerdict({ ...fine, ...change }, limits)).toBe(verdict);
  });
});
