import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import type { EventPayloads, RunnerEvent, SessionStatus } from "@codehands/contracts";
import type { LineMap } from "../agents/agent-door.ts";
import { runCost } from "../agents/budget.ts";
import { decideEnd, type EndFacts, type RunEnd } from "../agents/decide-end.ts";
import type { EventSequence } from "../events.ts";
import { diffStat } from "../git/diff.ts";
import { snapshotWorkspace } from "../git/snapshot.ts";
import type { ProcessName } from "../process/process-types.ts";
import { readExit } from "../process/read-exit.ts";
import { stopRun } from "../process/stop-run.ts";
import { createRedactor } from "../redact/create-redactor.ts";
import { RunnerError } from "../runner-error.ts";
import type { RunReading } from "./read-run.ts";
import type { RunnerContext } from "./runner-context.ts";

const STDERR_TAIL = 8_192;

export interface EndOfRun {
  reading: RunReading;
  process: ProcessName | null;
  events: EventSequence;
  lines: LineMap;
  verdict: Exclude<EndFacts["watchdog"], null> | "lingering" | null;
  offset: number;
}

const STATUS_AFTER: Readonly<Record<RunEnd["type"], SessionStatus>> = {
  "task.finished": "awaiting_approval",
  "task.failed": "failed",
  "task.stopped": "stopped",
};

/**
 * Ends a run whose output is drained: ends what the agent left running, pins the worktree's
 * content, then yields the last event. The files of the run go when the consumer has taken it.
 */
export async function* endRun(context: RunnerContext, ending: EndOfRun): AsyncGenerator<RunnerEvent> {
  const { reading, process, events, lines, offset } = ending;
  const { record, run, active } = reading;
  const { sessionId } = record;
  const runDir = `${context.home.runs}/${run.id}`;
  const exitCode = readExit(runDir);

  const left = await stopRun({
    process,
    runId: run.id,
    worktree: reading.workspace.worktree,
    graceMs: context.limits.graceMs,
  });
  if (left.signalled > 0 && active.stop === null) {
    const text = `The agent left ${left.signalled} ${left.signalled === 1 ? "process" : "processes"} running; ended, so that the reviewed files stay as they are.`;
    yield events.next("message", { text, role: "notice", severity: "warn" });
  }
  for (const event of lines.close()) yield events.next(event.type, event.payload, event.raw);

  const report = lines.report();
  const decide = () =>
    decideEnd({
      report,
      exitCode,
      signal: null,
      stop: active.stop,
      watchdog: ending.verdict === "lingering" ? null : ending.verdict,
      stderr: stderrTail(runDir, createRedactor(reading.env)),
      anyLine: offset > 0,
      lost: reading.adopted && exitCode === null,
    });
  const seen = await seeWorktree(context, reading);
  await context.crashPoint("end.after-snapshot");
  // Decided last and without a pause before the move: a stop that came meanwhile beats a finish.
  const end = withTree(decide(), seen);
  const costUsd = end.payload.total_cost_usd ?? null;
  context.records.update(sessionId, {
    costUsd: costUsd ?? record.costUsd,
    agentSessionId: report.agentSessionId ?? record.agentSessionId,
    ...(seen.ok ? { treeId: seen.treeId, snapshotRef: seen.ref } : {}),
  });
  context.records.move(sessionId, STATUS_AFTER[end.type]);

  const last = events.next(end.type, end.payload);
  context.records.update(sessionId, { lastSeq: last.seq });
  yield last;
  context.onPosition({ sessionId, runId: run.id, byteOffset: offset });
  context.records.putRun({
    ...run,
    state: "ended",
    byteOffset: offset,
    exitCode,
    costUsd: runCost(record.costUsd, costUsd),
    endedAt: context.clock(),
  });
  await context.crashPoint("end.after-last-event");
  rmSync(runDir, { recursive: true, force: true });
}

type Seen = { ok: true; treeId: string; ref: string; stat: string } | { ok: false; error: RunnerError };

async function seeWorktree(context: RunnerContext, reading: RunReading): Promise<Seen> {
  try {
    const { treeId, ref } = await snapshotWorkspace(reading.workspace, context.crashPoint);
    const { stat } = await diffStat(reading.workspace, treeId);
    return { ok: true, treeId, ref, stat };
  } catch (error) {
    if (error instanceof RunnerError) return { ok: false, error };
    throw error;
  }
}

type FinalEvent =
  | { type: "task.finished"; payload: EventPayloads["task.finished"] }
  | Exclude<RunEnd, { type: "task.finished" }>;

/** A finish needs the tree that will be reviewed; without one the run has failed. */
function withTree(end: RunEnd, seen: Seen): FinalEvent {
  if (end.type !== "task.finished") return end;
  if (seen.ok) return { type: end.type, payload: { ...end.payload, diffStat: seen.stat, treeId: seen.treeId } };
  const reason =
    seen.error.code === "worktree_missing" || seen.error.code === "repo_missing" ? seen.error.code : "agent_error";
  const detail = `The agent finished, but its files could not be read: ${seen.error.message}`;
  return { type: "task.failed", payload: { reason, detail, total_cost_usd: end.payload.total_cost_usd } };
}

function stderrTail(runDir: string, redact: (text: string) => string): string {
  try {
    const fd = openSync(`${runDir}/err.log`, "r");
    try {
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, STDERR_TAIL));
      readSync(fd, buffer, 0, buffer.length, size - buffer.length);
      return redact(buffer.toString("utf8")).trim();
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}
