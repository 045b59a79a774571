import type { CrashPoint } from "@codehands/contracts";
import type { CrashOrder } from "./config.ts";

/** The daemon's crash points: kills this process at the ordered visit of the named point; without an order, nothing. */
export function openCrashPoint(order: CrashOrder | null, kill: () => void = killMyself): CrashPoint {
  if (order === null) return () => {};
  let visits = 0;
  return (name) => {
    if (name !== order.name) return;
    visits += 1;
    if (visits === order.nth) kill();
  };
}

function killMyself(): void {
  process.kill(process.pid, "SIGKILL");
}
