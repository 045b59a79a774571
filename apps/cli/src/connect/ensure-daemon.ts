import { setTimeout as sleep } from "node:timers/promises";
import { homePaths } from "@codehands/contracts";
import { CliError } from "../cli-error.ts";
import { type Daemon, findDaemon, type Whereabouts } from "./find-daemon.ts";
import type { DaemonEnd, SpawnDaemon, SpawnedDaemon } from "./spawn-daemon.ts";

export interface EnsureOptions extends Whereabouts {
  /** The environment of a daemon that is started. */
  environment: Record<string, string>;
  spawn: SpawnDaemon;
  /** How long a start may take; 20 s when absent. */
  deadlineMs?: number;
  /** Told once, when a daemon is started. */
  onStarting?: () => void;
}

const POLL_MS = 40;
/** From the end of what was started to the last look: it may have found a daemon that is about to be ready. */
const AFTER_END_MS = 1_500;

/**
 * The running daemon, started when there is none. Throws a CliError with exit code 7 when it cannot
 * be started, and 5 when it is of another version.
 */
export async function ensureDaemon(o: EnsureOptions): Promise<Daemon> {
  const first = await findDaemon(o);
  if (first.state === "running") return first.daemon;
  if (first.state === "version") throw otherVersion(first.why);
  o.onStarting?.();
  return becomeReady(o);
}

function spawnIn(o: EnsureOptions): SpawnedDaemon {
  try {
    return o.spawn({ home: o.home, environment: o.environment });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The daemon could not be started with its folder ${o.home}: ${why}.`;
    throw new CliError({ code: "daemon_unreachable", exitCode: 7, message, hint: "codehands help environment" });
  }
}

/** What was started, and how and when it ended. */
interface Start {
  spawned: SpawnedDaemon;
  end: (DaemonEnd & { at: number }) | null;
}

function begin(o: EnsureOptions): Start {
  const start: Start = { spawned: spawnIn(o), end: null };
  void start.spawned.ended.then((end) => {
    start.end = { ...end, at: Date.now() };
  });
  return start;
}

async function becomeReady(o: EnsureOptions): Promise<Daemon> {
  const deadline = Date.now() + (o.deadlineMs ?? 20_000);
  let start = begin(o);
  while (Date.now() < deadline) {
    const found = await findDaemon(o);
    if (found.state === "running") return found.daemon;
    if (found.state === "version") throw otherVersion(found.why);
    if (start.end !== null && Date.now() > start.end.at + AFTER_END_MS) {
      if (!start.end.inUse) break;
      // Two commands started one at once: the faster daemon may still be opening its home, or both gave way.
      start = begin(o);
    }
    await sleep(POLL_MS);
  }
  throw notStarted(o.home, start.end?.how ?? null, start.spawned.said());
}

/** What a person is told when daemon and command do not fit. */
export function otherVersion(why: string): CliError {
  return new CliError({ code: "version", exitCode: 5, message: why, hint: "codehands daemon restart" });
}

function notStarted(home: string, ended: string | null, said: string): CliError {
  const how = ended === null ? "It runs but does not answer." : `It ended (${ended}).`;
  const words = said.trim().split("\n").slice(-3).join("\n").trim();
  const quote = words === "" ? "" : ` Its last words: ${words}`;
  const message = `The daemon could not be started. ${how}${quote} More in ${homePaths(home).logs}.`;
  return new CliError({ code: "daemon_unreachable", exitCode: 7, message, hint: "codehands daemon logs" });
}
