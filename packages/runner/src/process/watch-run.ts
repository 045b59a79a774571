import { statfsSync, statSync } from "node:fs";
import { CpuMeter } from "./cpu-meter.ts";
import { decideVerdict, type WatchLimits, type WatchVerdict } from "./decide-verdict.ts";
import { pickHost } from "./pick-host.ts";
import { findRunFacts, type RunRef } from "./run-processes.ts";

export interface RunWatch {
  /** Output up to this byte was read. */
  sawOutput(endOffset: number): void;
  /** The agent has printed a result; `open` commands and background tasks are still running. */
  sawResult(open: number): void;
  /** Resolves with the first bound that the run breaks; stays open when it breaks none. */
  verdict: Promise<WatchVerdict>;
  close(): void;
}

const PERIOD_MS = { least: 20, most: 1_000 };

/**
 * Watches the bounds of a run. Time is counted in beats of our own timer and no beat counts for more than two periods,
 * so a machine or a daemon that slept does not make a run look stalled.
 */
export function watchRun(o: RunRef & { runDir: string; limits: WatchLimits; monotonic?: () => number }): RunWatch {
  const { limits, runDir } = o;
  const monotonic = o.monotonic ?? (() => performance.now());
  const host = pickHost();
  const meter = new CpuMeter();
  const shortest = Math.min(limits.firstLineMs, limits.idleMs, limits.wallMs, limits.lingerMs);
  const periodMs = Math.min(PERIOD_MS.most, Math.max(PERIOD_MS.least, shortest / 10));

  let settle: (verdict: WatchVerdict) => void = () => {};
  const verdict = new Promise<WatchVerdict>((resolve) => {
    settle = resolve;
  });
  let last = monotonic();
  let elapsedMs = 0;
  let quietMs = 0;
  let unmeasuredMs = 0;
  let written = 0;
  let outputBytes = 0;
  let openAfterResult: number | null = null;

  const beat = (): void => {
    const now = monotonic();
    const step = Math.min(Math.max(0, now - last), 2 * periodMs);
    last = now;
    elapsedMs += step;
    quietMs += step;
    unmeasuredMs += step;
    // The files themselves are asked: the reader may be held up by whoever takes the events.
    const out = sizeOf(`${runDir}/out.ndjson`);
    const all = out + sizeOf(`${runDir}/err.log`);
    if (all !== written) quietMs = 0;
    written = all;
    outputBytes = Math.max(outputBytes, out);
    measureWork(openAfterResult === 0 ? limits.lingerMs : limits.idleMs);
    const facts = { elapsedMs, quietMs, outputBytes, freeBytes: freeBytes(runDir), openAfterResult };
    const found = decideVerdict(facts, limits);
    if (found === null) return;
    clearInterval(timer);
    settle(found);
  };

  /** Looks at the processes while it is quiet, twenty times before patience ends. */
  const measureWork = (patienceMs: number): void => {
    if (quietMs === 0 || unmeasuredMs < patienceMs / 20) return;
    unmeasuredMs = 0;
    const processes = findRunFacts(host, o);
    const frozen = processes.length > 0 && processes.every(({ state }) => state === "T");
    if (meter.isWorking(processes, quietMs) || frozen) quietMs = 0;
  };

  const timer = setInterval(beat, periodMs);
  timer.unref();
  return {
    sawOutput: (endOffset) => {
      outputBytes = Math.max(outputBytes, endOffset);
      quietMs = 0;
    },
    sawResult: (open) => {
      openAfterResult = open;
    },
    verdict,
    close: () => clearInterval(timer),
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
