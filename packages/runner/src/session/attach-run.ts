import type { Run, RunnerEvent } from "@codehands/contracts";
import { EventSequence } from "../events.ts";
import { adoptRun } from "../process/adopt-run.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { RunnerError } from "../runner-error.ts";
import { processOf, readRun } from "./read-run.ts";
import { programOf, type RunnerContext, recordOf, workspaceOf } from "./runner-context.ts";

/**
 * Goes on reading a run that an earlier process of ours started. No event is made up for a run
 * that lived on, or that ended by itself meanwhile.
 */
export async function* attachRun(context: RunnerContext, run: Run): AsyncGenerator<RunnerEvent> {
  const record = recordOf(context, run.sessionId);
  const active = context.active.open(run.sessionId);
  if (active === null) throw new RunnerError("already_running", `Session ${run.sessionId} is in work already.`);
  try {
    const adoption = await adoptRun({
      runDir: `${context.home.runs}/${run.id}`,
      runId: run.id,
      process: processOf(run),
    });
    await context.crashPoint("attach.after-adoption");
    const agent = programOf(context, record);
    if (adoption.state === "never_started" || agent === null) {
      context.records.putRun({ ...run, state: "ended", endedAt: context.clock() });
      context.records.move(run.sessionId, "failed");
      const events = new EventSequence(run.sessionId, { afterSeq: record.lastSeq, clock: context.clock });
      const detail =
        "The agent was never started: the program that should start it ended before. Nothing was run; the worktree is kept.";
      yield events.next("task.failed", { reason: "spawn_failed", detail });
      return;
    }
    const live: Run =
      adoption.state === "live" ? { ...run, state: "live", ...adoption.process } : { ...run, state: "live" };
    context.records.putRun(live);
    if (context.records.status(run.sessionId) === "queued") context.records.move(run.sessionId, "running");
    yield* readRun(context, {
      record,
      workspace: workspaceOf(record),
      door: agent.door,
      active,
      run: live,
      // Made anew from our own environment: it masks what the agent was given then, as long as that is the same.
      env: childEnvironment({
        source: context.environment,
        sessionId: run.sessionId,
        runId: run.id,
        passNames: context.agentEnvironment[record.agent] ?? [],
      }),
      adopted: true,
    });
  } finally {
    context.active.close(run.sessionId);
  }
}
