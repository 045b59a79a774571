import type { ProcessFacts } from "./host.ts";
import { keyOf } from "./run-processes.ts";

/** Hundredths of a second in a millisecond. */
const TICKS_PER_MS = 0.1;
/** A share of one processor below this is the hum of a waiting program, not work. */
const WORKING = 0.01;

/** Adds up the processor time of a changing set of processes since the last sign of life. */
export class CpuMeter {
  #seen = new Map<string, number>();
  #used = 0;
  #quietMs = 0;
  #first = true;

  /** Takes the processes as they are now; true when they worked in the `quietMs` since the last sign of life. */
  isWorking(processes: readonly ProcessFacts[], quietMs: number): boolean {
    if (quietMs < this.#quietMs) this.#used = 0;
    this.#quietMs = quietMs;
    const now = new Map(processes.map((facts) => [keyOf(facts), facts.cpuTicks]));
    // What was used before the first look tells nothing about the time since.
    if (!this.#first) for (const [key, ticks] of now) this.#used += Math.max(0, ticks - (this.#seen.get(key) ?? 0));
    this.#first = false;
    this.#seen = now;
    const working = this.#used >= Math.max(1, quietMs * TICKS_PER_MS * WORKING);
    if (working) this.#used = 0;
    return working;
  }
}
