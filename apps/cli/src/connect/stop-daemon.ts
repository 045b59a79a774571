import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { findDaemon, type Whereabouts } from "./find-daemon.ts";
import { isAlive } from "./is-alive.ts";

export interface Stopped {
  /** False when none was running. */
  wasRunning: boolean;
  pid: number | null;
}

const POLL_MS = 40;

/**
 * Lets the daemon finish what it writes and end; agents go on. Resolves when its process is gone, throws
 * a CliError with exit code 7 when it is still there after the deadline.
 */
export async function stopDaemon(where: Whereabouts & { deadlineMs?: number }): Promise<Stopped> {
  const found = await findDaemon(where);
  if (found.state === "absent") return { wasRunning: false, pid: null };
  if (found.state === "silent") {
    const { pid } = found.file;
    if (!isAlive(pid)) return { wasRunning: false, pid: null };
    throw stillThere(`Process ${pid} is named in daemon.json but does not answer as our daemon: ${found.why}`);
  }
  const { pid } = found.state === "running" ? found.daemon.file : found.file;
  // A daemon of another protocol has proved to be ours as well; only the calls do not fit.
  if (found.state === "version") process.kill(pid, "SIGTERM");
  else await found.daemon.client.health.shutdown.mutate();
  const giveUpAt = Date.now() + (where.deadlineMs ?? 30_000);
  while (isAlive(pid)) {
    if (Date.now() > giveUpAt) throw stillThere(`The daemon (pid ${pid}) took the order to stop but is still there.`);
    await sleep(POLL_MS);
  }
  return { wasRunning: true, pid };
}

function stillThere(message: string): CliError {
  return new CliError({ code: "daemon_unreachable", exitCode: 7, message, hint: "codehands daemon logs" });
}
