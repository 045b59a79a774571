import { describe, expect, test } from "vitest";
import type { ProcessFacts, ProcessHost } from "./host.ts";
import { findRunFacts } from "./run-processes.ts";

const facts = (pid: number, change: Partial<ProcessFacts> = {}): ProcessFacts => ({
  pid,
  ppid: 1,
  pgid: pid,
  startTicks: String(pid),
  state: "S",
  cpuTicks: 0,
  ...change,
});

/** A system whose processes change with every listing; those with a marker belong to run "r". */
function changingHost(listings: ProcessFacts[][], marked: readonly number[]): ProcessHost {
  let turn = 0;
  const now = (): ProcessFacts[] => listings[Math.min(turn, listings.length) - 1] ?? [];
  return {
    bootId: () => "boot",
    look: (pid) => now().find((one) => one.pid === pid) ?? null,
    list: (seen) => {
      turn += 1;
      return now().filter(({ pid }) => !seen.has(pid));
    },
    environments: (pids) =>
      new Map(pids.map((pid) => [pid, marked.includes(pid) ? "A=1\0CODEHANDS_RUN_ID=r\0" : "CODEHANDS_RUN_ID=rr\0"])),
    directory: () => null,
  };
}

const run = { process: null, runId: "r" };
const pids = (found: readonly ProcessFacts[]): number[] => found.map(({ pid }) => pid);

describe("findRunFacts", () => {
  test("a process whose parent ended before it was looked at, and that came after the listing, is found", () => {
    const listings = [
      [facts(9_000_001), facts(9_000_002, { state: "X" })],
      [facts(9_000_001), facts(9_000_003, { state: "X" })],
      [facts(9_000_001), facts(9_000_004)],
    ];
    const seen: number[] = [];
    const host = changingHost(listings, [9_000_002, 9_000_003, 9_000_004]);
    expect(pids(findRunFacts(host, run, { onMarked: ({ pid }) => seen.push(pid) }))).toEqual([9_000_004]);
    expect(seen).toEqual([9_000_004]);
  });

  test("the marker of another run that begins with the same letters is not ours", () => {
    expect(findRunFacts(changingHost([[facts(9_000_001)]], []), run)).toEqual([]);
  });

  test("children of members belong to the run, whatever their environment is; those of a zombie's number do not", () => {
    const listing = [facts(9_000_001), facts(9_000_002, { ppid: 9_000_001 }), facts(9_000_003, { ppid: 9_000_002 })];
    const other = [facts(9_000_004, { state: "Z" }), facts(9_000_005, { ppid: 9_000_004 })];
    const host = changingHost([[...listing, ...other]], [9_000_001, 9_000_004]);
    expect(pids(findRunFacts(host, run))).toEqual([9_000_001, 9_000_002, 9_000_003]);
  });

  test("this process and its ancestors are never of a run, but their other children are", () => {
    const listing = [
      facts(9_000_001),
      facts(process.pid, { ppid: 9_000_001 }),
      facts(9_000_002, { ppid: process.pid }),
    ];
    const host = changingHost([listing, listing], [9_000_001, process.pid, 9_000_002]);
    host.list(new Set());
    expect(pids(findRunFacts(host, run))).toEqual([9_000_002]);
  });
});
