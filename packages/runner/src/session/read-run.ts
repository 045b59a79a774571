import type { Run, RunnerEvent, SessionRecord } from "@codehands/contracts";
import type { AgentDoor, LineMap, MappedEvent } from "../agents/agent-door.ts";
import { EventSequence } from "../events.ts";
import type { Workspace } from "../git/workspace.ts";
import type { ProcessName, TailItem } from "../process/process-types.ts";
import { readExit } from "../process/read-exit.ts";
import { isRunAlive } from "../process/run-processes.ts";
import { stopRun } from "../process/stop-run.ts";
import { tailOutput } from "../process/tail-output.ts";
import { watchRun } from "../process/watch-run.ts";
import { createRedactor } from "../redact/create-redactor.ts";
import type { ActiveSession } from "./active-sessions.ts";
import { endRun } from "./end-run.ts";
import type { RunnerContext } from "./runner-context.ts";

/** A run whose output is to be read, new or adopted. */
export interface RunReading {
  record: SessionRecord;
  workspace: Workspace;
  door: AgentDoor;
  active: ActiveSession;
  run: Run;
  /** The agent's environment: its values are masked in every event. */
  env: Readonly<Record<string, string>>;
  /** True when an earlier process of ours started the run. */
  adopted: boolean;
}

/** The part of a run's name that never changes, or null when the process was never seen. */
export function processOf(run: Run): ProcessName | null {
  const { pid, pgid, startTicks, bootId } = run;
  return pid === null || pgid === null || startTicks === null || bootId === null
    ? null
    : { pid, pgid, startTicks, bootId };
}

/**
 * Reads a run's output from the stored offset and yields its events, the last of which ends the
 * run. A position is handed over only when the consumer has taken every event of a line.
 */
export async function* readRun(context: RunnerContext, reading: RunReading): AsyncGenerator<RunnerEvent> {
  const { record, run, active } = reading;
  const runDir = `${context.home.runs}/${run.id}`;
  const process = processOf(run);
  const events = new EventSequence(record.sessionId, { afterSeq: record.lastSeq, clock: context.clock });
  const lines = openLines(reading);
  const { map } = lines;
  const watch = watchRun({ runId: run.id, process, runDir, limits: context.limits });
  let offset = run.byteOffset;
  let verdict: Awaited<typeof watch.verdict> | null = null;

  active.kill = async (graceMs) => {
    await stopRun({ process, runId: run.id, worktree: reading.workspace.worktree, graceMs });
  };
  active.markPrepared();
  if (offset > 0) watch.sawOutput(offset);
  if (active.stop !== null) await active.kill(context.limits.graceMs);
  void watch.verdict.then(async (found) => {
    verdict = found;
    await active.kill?.(context.limits.graceMs);
  });

  try {
    // An adopted run is read from its first byte, so that open calls and totals are known again;
    // what lies before the stored offset was stored and is not handed out twice.
    const tail = tailOutput({
      runDir,
      fromOffset: 0,
      isOver: async () => readExit(runDir) !== null || !isRunAlive({ process, runId: run.id }),
    });
    for await (const item of tail) {
      const mapped = lines.feed(item);
      if (item.endOffset <= run.byteOffset) continue;
      offset = item.endOffset;
      watch.sawOutput(offset);
      const report = map.report();
      if (report.result !== null) watch.sawResult(report.open);
      for (const event of mapped) yield events.next(event.type, event.payload, event.raw);
      context.onPosition({ sessionId: record.sessionId, runId: run.id, byteOffset: offset });
    }
    watch.close();
    await context.crashPoint("run.after-output");
    yield* endRun(context, { reading, process, events, lines: map, verdict, offset });
  } finally {
    watch.close();
    active.kill = null;
  }
}

/** A line map fed with the items of a tail. */
function openLines(reading: RunReading): { map: LineMap; feed: (item: TailItem) => MappedEvent[] } {
  const { record, run, door } = reading;
  const redact = createRedactor(reading.env);
  const map = door.lineMap({
    runId: run.id,
    phase: run.phase,
    resumed: run.kind === "resume",
    model: run.model,
    cwd: reading.workspace.worktree,
    costBefore: record.costUsd ?? 0,
    testCommands: record.testCommands ?? [],
  });
  const feed = (item: TailItem): MappedEvent[] => {
    if (item.kind === "oversize") return map.oversize(item.bytes);
    if (item.kind === "shrunk") {
      return [
        {
          type: "message",
          payload: {
            text: "Something shortened the file of the agent's output; a part of it is lost.",
            role: "notice",
            severity: "warn",
          },
        },
      ];
    }
    return map.line(redact(item.bytes.toString("utf8")));
  };
  return { map, feed };
}
