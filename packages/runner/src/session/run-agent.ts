import { randomUUID } from "node:crypto";
import type { Run, RunnerEvent, SessionRecord } from "@codehands/contracts";
import type { AgentDoor } from "../agents/agent-door.ts";
import { remainingUsd } from "../agents/budget.ts";
import { EventSequence } from "../events.ts";
import type { Workspace } from "../git/workspace.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { spawnAgent } from "../process/spawn-agent.ts";
import { RunnerError } from "../runner-error.ts";
import type { ActiveSession } from "./active-sessions.ts";
import { readRun } from "./read-run.ts";
import type { RunnerContext } from "./runner-context.ts";

/** One run to make: who, where, with what words. */
export interface RunPlan {
  record: SessionRecord;
  workspace: Workspace;
  agent: { door: AgentDoor; program: readonly string[] };
  active: ActiveSession;
  kind: "start" | "resume";
  prompt: string;
  notes: string | null;
  trustRepoSettings: boolean;
}

/** Spawns the agent and yields its events up to the one that ends the run. */
export async function* runAgent(context: RunnerContext, plan: RunPlan): AsyncGenerator<RunnerEvent> {
  const { record, workspace, agent, active } = plan;
  const run: Run = {
    id: randomUUID(),
    sessionId: record.sessionId,
    ordinal: context.records.runs(record.sessionId).length + 1,
    phase: "single",
    kind: plan.kind,
    model: record.model,
    prompt: plan.prompt,
    state: "spawning",
    pid: null,
    pgid: null,
    startTicks: null,
    bootId: null,
    byteOffset: 0,
    errOffset: 0,
    exitCode: null,
    signal: null,
    costUsd: null,
    startedAt: context.clock(),
    endedAt: null,
  };
  const call = agent.door.call({
    sessionId: record.sessionId,
    resumeId: plan.kind === "resume" ? record.agentSessionId : null,
    prompt: plan.prompt,
    model: record.model,
    phase: run.phase,
    remainingUsd: remainingUsd(record.budgetUsd, record.costUsd),
    testCommands: record.testCommands ?? [],
    trustRepoSettings: plan.trustRepoSettings,
    notes: plan.notes,
    cwd: workspace.worktree,
  });
  const env = childEnvironment({
    source: context.environment,
    sessionId: record.sessionId,
    runId: run.id,
    extra: call.env,
    passNames: context.agentEnvironment[record.agent] ?? [],
  });

  // The row comes first: a crash after this line finds the process by its marker, or knows that there is none.
  context.records.putRun(run);
  await context.crashPoint("run.after-intent");
  try {
    const name = await spawnAgent({
      runId: run.id,
      runDir: `${context.home.runs}/${run.id}`,
      command: [...agent.program, ...call.args],
      cwd: workspace.worktree,
      env,
      stdin: call.stdin,
    });
    await context.crashPoint("run.after-spawn");
    const live: Run = { ...run, state: "live", ...name };
    context.records.putRun(live);
    context.records.move(record.sessionId, "running");
    await context.crashPoint("run.after-live");
    yield* readRun(context, { record, workspace, door: agent.door, active, run: live, env, adopted: false });
  } catch (error) {
    if (!(error instanceof RunnerError) || error.code !== "spawn_failed") throw error;
    context.records.putRun({ ...run, state: "ended", endedAt: context.clock() });
    context.records.move(record.sessionId, "failed");
    const events = new EventSequence(record.sessionId, { afterSeq: record.lastSeq, clock: context.clock });
    yield events.next("task.failed", { reason: "spawn_failed", detail: error.message });
  }
}
