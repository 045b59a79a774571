import { mkdirSync, readFileSync, statSync } from "node:fs";
import { DaemonError } from "../home/daemon-error.ts";
import { takeLock } from "../home/lock.ts";

/**
 * Makes the home (0700) where it is missing and takes its lock. Throws `home_not_private` when others may write
 * there, and `home_in_use`, naming the holder, when another daemon has it.
 */
export function openHome(paths: { home: string; lock: string }, me: string): { release(): void } {
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const problem = whyNotPrivate(statSync(paths.home), process.getuid?.());
  if (problem !== null) {
    throw new DaemonError(
      "home_not_private",
      `${paths.home} ${problem} Nothing was started. Run: chmod 700 ${paths.home}`,
    );
  }
  const lock = takeLock(paths.lock, me);
  if ("release" in lock) return lock;
  throw new DaemonError(
    "home_in_use",
    `The home ${paths.home} is in use by ${lock.by}${whatItDoes(lock.by)}. Nothing was started. Use that one, or end it with: codehands daemon stop`,
  );
}

/** What is wrong with a home that others could write to; null when nothing is. We never tighten a folder that we did not make: it may be shared on purpose. */
export function whyNotPrivate(home: { mode: number; uid: number }, uid: number | undefined): string | null {
  if (uid !== undefined && home.uid !== uid) return "belongs to another user.";
  return (home.mode & 0o022) === 0 ? null : "can be written by other users.";
}

/** Names a holder that is stopped: it keeps the lock, and answers nobody. */
function whatItDoes(holder: string): string {
  const pid = /\bpid (\d+)\b/.exec(holder)?.[1];
  if (pid === undefined) return "";
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    const state = line.slice(line.lastIndexOf(")") + 2, line.lastIndexOf(")") + 3);
    return state === "T"
      ? `, which is stopped and answers nobody (kill -CONT ${pid} wakes it, kill -KILL ${pid} ends it; agents go on)`
      : "";
  } catch {
    return "";
  }
}
