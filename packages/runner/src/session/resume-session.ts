import type { ResumeOptions, RunnerEvent } from "@codehands/contracts";
import { checkWorkspace } from "../git/workspace-state.ts";
import { stopRun } from "../process/stop-run.ts";
import { RunnerError } from "../runner-error.ts";
import { runAgent } from "./run-agent.ts";
import { programOf, type RunnerContext, recordOf, workspaceOf } from "./runner-context.ts";

const GO_ON = "Continue with the task where you left off.";

export interface ResumeRequest {
  sessionId: string;
  prompt?: string | undefined;
  options?: ResumeOptions | undefined;
}

/** Goes on with a stopped session in the same worktree and the agent's own session. Numbering continues. */
export async function* resumeSession(context: RunnerContext, request: ResumeRequest): AsyncGenerator<RunnerEvent> {
  const { sessionId } = request;
  const record = recordOf(context, sessionId);
  const status = context.records.status(sessionId);
  if (status === "running" || status === "queued") {
    throw new RunnerError("already_running", `Session ${sessionId} is ${status}, so it cannot be resumed.`);
  }
  if (status !== "stopped") {
    throw new RunnerError("illegal_move", `Session ${sessionId} is ${status}, so it cannot be resumed.`);
  }
  if (record.agentSessionId === null) {
    throw new RunnerError(
      "cannot_resume",
      "The agent never named a session of its own, so it cannot go on. The worktree is kept; start again with a summary of what is done.",
    );
  }
  const budgetUsd = request.options?.budgetUsd ?? record.budgetUsd;
  if (budgetUsd !== null && (record.costUsd ?? 0) >= budgetUsd) {
    throw new RunnerError(
      "cannot_resume",
      `The budget of $${budgetUsd.toFixed(2)} is used up ($${(record.costUsd ?? 0).toFixed(2)} spent). Resume with a higher total budget.`,
    );
  }
  const agent = programOf(context, record);
  if (agent === null)
    throw new RunnerError("cannot_resume", `The agent "${record.agent}" cannot be run by this version.`);
  const workspace = workspaceOf(record);
  const state = await checkWorkspace(workspace);
  if (!state.ok) throw new RunnerError("cannot_resume", state.detail);

  const active = context.active.open(sessionId);
  if (active === null) throw new RunnerError("already_running", `Session ${sessionId} is in work already.`);
  try {
    // One writer: whatever an earlier run left alive goes before the next one starts.
    for (const run of context.records.runs(sessionId)) {
      await stopRun({ process: null, runId: run.id, worktree: null, graceMs: context.limits.graceMs });
    }
    context.records.update(sessionId, { budgetUsd });
    yield* runAgent(context, {
      record: { ...record, budgetUsd },
      workspace,
      agent,
      active,
      kind: "resume",
      prompt: request.prompt ?? GO_ON,
      notes: null,
      trustRepoSettings: request.options?.trustRepoSettings === true,
    });
  } finally {
    context.active.close(sessionId);
  }
}
