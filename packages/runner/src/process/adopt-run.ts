import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { pickHost } from "./pick-host.ts";
import type { Adoption, ProcessName } from "./process-types.ts";
import { readExit } from "./read-exit.ts";
import { livingFacts, runProcesses } from "./run-processes.ts";

const CLAIM_WAIT_MS = 2_000;
const NEVER = "dead\n";

/**
 * Finds out what became of a run that an earlier process of ours started or was about to start. Where no process is
 * known it takes the run's claim, so that an agent which has not started by then never will.
 */
export async function adoptRun(o: { runDir: string; runId: string; process: ProcessName | null }): Promise<Adoption> {
  const exitCode = readExit(o.runDir);
  if (exitCode !== null) return { state: "exited", exitCode };
  const claim = o.process === null ? await claimRun(o.runDir, o.runId) : null;
  if (claim === "never_started") return { state: "never_started" };
  const live = livingProcess(o.runId, o.process, claim);
  if (live !== null) return { state: "live", process: live };
  // Nothing lives now, so the wrapper can have written the code after the first look, and not after this one.
  const late = readExit(o.runDir);
  return late === null ? { state: "gone" } : { state: "exited", exitCode: late };
}

/** The wrapper while it lives, else the oldest process that carries the run's marker: the wrapper can be killed alone. */
function livingProcess(runId: string, known: ProcessName | null, claimed: number | null): ProcessName | null {
  const host = pickHost();
  if (known !== null && livingFacts(host, known) !== null) return known;
  const found = runProcesses({ process: known, runId });
  const wrapper = found.find(({ pid }) => pid === claimed);
  const byAge = found.toSorted((a, b) => Number(a.startTicks) - Number(b.startTicks) || a.pid - b.pid);
  return wrapper ?? byAge[0] ?? null;
}

/** The wrapper's pid from its claim, or `never_started` when the claim is ours or nobody's. */
async function claimRun(runDir: string, runId: string): Promise<number | "never_started"> {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(`${runDir}/pid`, NEVER, { flag: "wx", mode: 0o600 });
    return "never_started";
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  // The wrapper has made the file; its number follows in its next system call.
  for (let waited = 0; ; waited += 20) {
    const text = readFileSync(`${runDir}/pid`, "latin1");
    if (text === NEVER) return "never_started";
    if (/^\d+\n$/.test(text)) return Number(text);
    // A wrapper that ended before it wrote its number (killed, disk full) never came to the agent.
    if (waited >= CLAIM_WAIT_MS && runProcesses({ process: null, runId }).length === 0) return "never_started";
    await delay(20);
  }
}
