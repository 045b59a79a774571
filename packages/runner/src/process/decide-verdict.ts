import type { RunLimits } from "@codehands/contracts";

/** The bounds that are watched. Times count only while we ourselves are running. */
export type WatchLimits = Omit<RunLimits, "graceMs">;

export type WatchVerdict = "no_first_line" | "stalled" | "wall_clock" | "output_limit" | "disk_full" | "lingering";

/** What is known of a run at one moment. */
export interface WatchFacts {
  elapsedMs: number;
  /** Since the last output, processor time or start. */
  quietMs: number;
  outputBytes: number;
  /** Bytes free on disk; null when not known. */
  freeBytes: number | null;
  /** Commands and background tasks still open; null before a result. */
  openAfterResult: number | null;
}

/** The first bound that a run has broken, or null. */
export function decideVerdict(facts: WatchFacts, limits: WatchLimits): WatchVerdict | null {
  if (facts.freeBytes !== null && facts.freeBytes < limits.diskFloorBytes) return "disk_full";
  if (facts.outputBytes > limits.maxOutputBytes) return "output_limit";
  if (facts.elapsedMs >= limits.wallMs) return "wall_clock";
  if (facts.outputBytes === 0 && facts.elapsedMs >= limits.firstLineMs) return "no_first_line";
  if (facts.openAfterResult === 0 && facts.quietMs >= limits.lingerMs) return "lingering";
  return facts.quietMs >= limits.idleMs ? "stalled" : null;
}
