import type { EndReason, EventPayloads } from "@codehands/contracts";
import type { AgentReport } from "./agent-door.ts";

/** Everything that decides how a run ended. */
export interface EndFacts {
  report: AgentReport;
  /** Null when the code is not known. */
  exitCode: number | null;
  signal: string | null;
  /** A stop that was asked for before the process ended. */
  stop: { reason: EndReason; by?: string } | null;
  /** What our own watchdogs found. */
  watchdog: "no_first_line" | "stalled" | "wall_clock" | "output_limit" | "disk_full" | null;
  /** Last part of the error output, redacted. */
  stderr: string;
  /** Whether the file of lines shows that anything came at all. */
  anyLine: boolean;
  /**
   * The process ended while nobody of ours was there to see it, and left no exit code. Without a
   * result this is `task.stopped {daemon_restart}` when the agent's session id is known (so that
   * resume goes on), else `task.failed {exit_unknown}`.
   */
  lost?: boolean;
}

export type RunEnd =
  | { type: "task.finished"; payload: Omit<EventPayloads["task.finished"], "diffStat" | "treeId"> }
  | { type: "task.failed"; payload: EventPayloads["task.failed"] }
  | { type: "task.stopped"; payload: EventPayloads["task.stopped"] };
