import { EmbeddedError } from "./embedded-error.ts";
import { processBirth } from "./identify-process.ts";
import { waitUntil } from "./wait-until.ts";

const STEPS: readonly [NodeJS.Signals, number][] = [
  // Ends its clients, writes everything down and goes.
  ["SIGINT", 20_000],
  // Goes at once; the next start recovers.
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
];

/** Stops a server, kindly first. Everything committed is kept in every case. Returns when it is gone. */
export async function stopServer(pid: number): Promise<void> {
  const born = processBirth(pid);
  if (born === null) return;
  for (const [signal, patience] of STEPS) {
    if (!sendSignal(pid, signal)) return;
    if ((await waitUntil(patience, () => (processBirth(pid) === born ? null : true))) !== null) return;
  }
  throw new EmbeddedError("cannot_stop", `The built-in PostgreSQL (process ${pid}) does not end. Its data was kept.`);
}

/** Sends a signal; false when the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
