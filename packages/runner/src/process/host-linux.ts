import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ProcessFacts, ProcessHost } from "./host.ts";
import { parseStat } from "./parse-stat.ts";

const look = (pid: number): ProcessFacts | null => parseStat(read(`/proc/${pid}/stat`) ?? "");

const gone = (pid: number): ProcessFacts => ({ pid, ppid: 0, pgid: 0, startTicks: "", state: "X", cpuTicks: 0 });

/** How long processes in the middle of exec hold up one look at environments. */
const EXEC_MS = 10;

let bootId: string | null = null;

/** Linux: everything is read from /proc. */
export const hostLinux: ProcessHost = {
  bootId: () => {
    bootId ??= (read("/proc/sys/kernel/random/boot_id") ?? "").trim();
    return bootId;
  },
  look,
  list: (seen) =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && !seen.has(Number(name)))
      .map((name) => look(Number(name)) ?? gone(Number(name))),
  environments: (pids) => {
    const found = new Map<number, string>();
    const deadline = performance.now() + EXEC_MS;
    for (const pid of pids) {
      const text = environmentOf(pid, deadline);
      if (text !== null) found.set(pid, text);
    }
    return found;
  },
  directory: (pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return null;
    }
  },
};

/**
 * In the middle of exec a process has no environment for an instant, and no arguments either: it is looked at until it
 * has. One that has arguments alone was started with an empty environment.
 */
function environmentOf(pid: number, deadline: number): string | null {
  for (let hasArguments = false; ; ) {
    const text = read(`/proc/${pid}/environ`);
    if (text !== "" || hasArguments) return text;
    hasArguments = (read(`/proc/${pid}/cmdline`) ?? "") !== "";
    if (!hasArguments && performance.now() > deadline) return null;
  }
}

// A process may end, or belong to someone else, between any two reads: both are "not there".
function read(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
