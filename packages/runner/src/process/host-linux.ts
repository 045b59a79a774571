import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ProcessFacts, ProcessHost } from "./host.ts";
import { parseStat } from "./parse-stat.ts";

const look = (pid: number): ProcessFacts | null => parseStat(read(`/proc/${pid}/stat`) ?? "");

const gone = (pid: number): ProcessFacts => ({ pid, ppid: 0, pgid: 0, startTicks: "", state: "X", cpuTicks: 0 });

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
    for (const pid of pids) {
      const text = read(`/proc/${pid}/environ`);
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

// A process may end, or belong to someone else, between any two reads: both are "not there".
function read(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
