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
  /** The process ended while no runner was watching, and left no exit code. */
  lost?: boolean;
}

export type RunEnd =
  | { type: "task.finished"; payload: Omit<EventPayloads["task.finished"], "diffStat" | "treeId"> }
  | { type: "task.failed"; payload: EventPayloads["task.failed"] }
  | { type: "task.stopped"; payload: EventPayloads["task.stopped"] };

type Result = NonNullable<AgentReport["result"]>;

const KEPT = "The worktree and everything in it are kept.";

const WATCHDOG_DETAIL: Readonly<Record<NonNullable<EndFacts["watchdog"]>, string>> = {
  no_first_line: `The agent printed nothing in the time it had to begin, so it was ended. ${KEPT} Check it with: codehands doctor`,
  stalled: `The agent printed nothing and used no processor time for too long, so it was ended. ${KEPT} Look at the diff, then retry.`,
  wall_clock: `The run took longer than a run may take, so it was ended. ${KEPT} Resume to go on.`,
  output_limit: `The agent printed more than a run may print, so it was ended. ${KEPT} Look at the diff, then retry.`,
  disk_full: `The disk is nearly full, so the agent was ended before files could be damaged. ${KEPT} Make room, then retry.`,
};

/**
 * How a run ended, from all that is known once its process is gone. A stop that was asked for beats a finish; a result
 * that says no error beats the exit code; what a resume can mend ends as stopped when there is a session to resume.
 */
export function decideEnd(facts: EndFacts): RunEnd {
  const { report, stop, watchdog } = facts;
  const { result } = report;
  if (stop !== null) return stopped(facts, stop.reason, stop.by === undefined ? {} : { by: stop.by });
  if (watchdog === "disk_full" || watchdog === "output_limit")
    return failed(facts, watchdog, WATCHDOG_DETAIL[watchdog]);
  if (result !== null && !result.isError) return finished(report, result);
  if (result?.overBudget === true) return limited(facts, "budget", { detail: result.text });
  if (watchdog === "wall_clock") return stopped(facts, watchdog, {});
  if (watchdog !== null) return failed(facts, watchdog, WATCHDOG_DETAIL[watchdog]);
  if (report.provider !== null) return limited(facts, report.provider.state, report.provider);
  if (result !== null) return failed(facts, report.reason ?? "agent_error", errorDetail(result));
  return withoutResult(facts);
}

function finished({ denied }: AgentReport, result: Result): RunEnd {
  const { costUsd, usage, numTurns, text } = result;
  const payload = {
    total_cost_usd: costUsd,
    usage,
    num_turns: numTurns,
    result: text,
    ...(denied > 0 ? { denied } : {}),
  };
  return { type: "task.finished", payload };
}

function stopped(facts: EndFacts, reason: EndReason, more: { by?: string; retryAt?: string }): RunEnd {
  return { type: "task.stopped", payload: { reason, ...more, total_cost_usd: costOf(facts) } };
}

function failed(facts: EndFacts, reason: EndReason, detail: string): RunEnd {
  const { stderr, exitCode } = facts;
  const said = stderr === "" ? {} : { stderr };
  return { type: "task.failed", payload: { reason, detail, ...said, exitCode, total_cost_usd: costOf(facts) } };
}

/** A limit that time, money or a sign-in lifts. Without a session of the agent there is nothing to resume. */
function limited(facts: EndFacts, reason: EndReason, why: { detail: string; retryAt?: string }): RunEnd {
  if (facts.report.agentSessionId === null) return failed(facts, reason, why.detail);
  return stopped(facts, reason, why.retryAt === undefined ? {} : { retryAt: why.retryAt });
}

function withoutResult(facts: EndFacts): RunEnd {
  const { exitCode, signal, anyLine, report, lost = false } = facts;
  if (lost && report.agentSessionId !== null) return stopped(facts, "daemon_restart", {});
  if (exitCode === null && signal === null) {
    const detail = `The agent's process is gone and left no exit code: the agent exited without a result that is known. ${KEPT} Look at the diff, then retry.`;
    return failed(facts, "exit_unknown", detail);
  }
  if (!anyLine && (exitCode === 126 || exitCode === 127)) {
    const detail = `The agent's program could not be run, so the agent exited without a result (exit code ${exitCode}). Install it or correct its command, then retry. Check with: codehands doctor`;
    return failed(facts, "spawn_failed", detail);
  }
  const how = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  const hint = anyLine
    ? "Look at the diff, then retry."
    : "Its error output says why; check that it is installed and signed in with: codehands doctor";
  return failed(facts, "no_result", `No outcome was told: the agent exited without a result (${how}). ${KEPT} ${hint}`);
}

const errorDetail = (result: Result): string =>
  result.text === "" ? `The agent ended with an error that it did not name. ${KEPT}` : result.text;

const costOf = ({ report }: EndFacts): number | null => report.result?.costUsd ?? null;
