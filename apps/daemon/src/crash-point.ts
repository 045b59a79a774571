import { appendFileSync, readFileSync } from "node:fs";
import type { CrashPoint } from "@codehands/contracts";
import type { CrashOrder } from "./config.ts";

export interface CrashPointOptions {
  kill?: () => void;
  /** A file that every visited name goes to. With it the kill happens once, also over restarts. */
  log?: string | null;
}

/** The daemon's crash points: kills this process at the ordered visit of the named point; without an order, nothing. */
export function openCrashPoint(order: CrashOrder | null, options: CrashPointOptions = {}): CrashPoint {
  const { kill = killMyself, log = null } = options;
  if (order === null && log === null) return () => {};
  let visits = 0;
  return (name) => {
    if (log !== null) appendFileSync(log, `${name}\n`);
    if (name !== order?.name) return;
    visits += 1;
    if (visits !== order.nth) return;
    if (log !== null) {
      if (readFileSync(log, "utf8").includes(KILLED)) return;
      appendFileSync(log, KILLED);
    }
    kill();
  };
}

const KILLED = "(killed here)\n";

function killMyself(): void {
  process.kill(process.pid, "SIGKILL");
}
