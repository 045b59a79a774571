import type { EndReason, RunnerEvent, SessionRecord, StartOptions } from "@codehands/contracts";
import { DEFAULT_BUDGET_USD } from "../agents/budget.ts";
import { EventSequence } from "../events.ts";
import { prepareWorkspace } from "../git/prepare-workspace.ts";
import { repoKey } from "../repo-key.ts";
import { RunnerError } from "../runner-error.ts";
import { firstLine } from "./first-line.ts";
import { runAgent } from "./run-agent.ts";
import { programOf, type RunnerContext } from "./runner-context.ts";

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Makes the session's worktree and runs its agent there. A session that cannot start ends with
 * one `task.failed`; only a wrong call throws.
 */
export async function* startSession(context: RunnerContext, options: StartOptions): AsyncGenerator<RunnerEvent> {
  if (!SESSION_ID.test(options.sessionId)) {
    throw new RunnerError("not_allowed", "A session id must be a UUID in lower case. Nothing was started.");
  }
  const active = context.active.open(options.sessionId);
  if (active === null) throw new RunnerError("already_running", `Session ${options.sessionId} is in work already.`);
  try {
    const record = await recordFor(context, options);
    const events = new EventSequence(record.sessionId, { afterSeq: record.lastSeq, clock: context.clock });
    const fail = (reason: EndReason, detail: string) => {
      context.records.move(record.sessionId, "failed");
      return events.next("task.failed", { reason, detail });
    };

    const agent = programOf(context, record);
    if (agent === null) {
      yield fail(
        "unsupported_agent",
        `The agent "${record.agent}" cannot be run by this version. Nothing was changed.`,
      );
      return;
    }
    await context.crashPoint("start.before-workspace");
    const prepared = await prepareWorkspace(
      {
        sessionId: record.sessionId,
        repoPath: record.repoPath,
        prompt: record.title,
        ...(record.baseRef === null ? {} : { base: record.baseRef }),
        worktreeRoot: context.worktreeRoot,
        privateGitRoot: context.home.privateGit,
        homeId: context.homeId,
      },
      context.crashPoint,
    );
    if (!prepared.ok) {
      yield fail(prepared.reason, prepared.detail);
      return;
    }
    const { workspace } = prepared;
    context.records.update(record.sessionId, {
      repoKey: prepared.repoKey,
      branch: workspace.branch,
      baseRef: prepared.baseRef,
      baseCommit: workspace.baseCommit,
      worktree: workspace.worktree,
      commonDir: workspace.commonDir,
      privateGitDir: workspace.privateGitDir,
    });
    await context.crashPoint("start.after-workspace");
    if (active.stop !== null) {
      yield fail("cancelled", "The session was stopped before its agent started. Its empty worktree is kept.");
      return;
    }
    yield* runAgent(context, {
      record: { ...record, ...workspace, repoKey: prepared.repoKey },
      workspace,
      agent,
      active,
      kind: "start",
      prompt: record.prompt,
      notes: options.notes ?? null,
      trustRepoSettings: options.trustRepoSettings === true,
    });
  } finally {
    context.active.close(options.sessionId);
  }
}

/** The record that a caller made beforehand, or a new one. */
async function recordFor(context: RunnerContext, options: StartOptions): Promise<SessionRecord> {
  const held = context.records.get(options.sessionId);
  if (held !== undefined) {
    const status = context.records.status(options.sessionId);
    if (status !== "queued") {
      throw new RunnerError("already_running", `Session ${options.sessionId} is ${status}. Nothing was started.`);
    }
    return held;
  }
  const record: SessionRecord = {
    sessionId: options.sessionId,
    repoPath: options.repoPath,
    repoKey: await repoKey(options.repoPath).catch(() => ""),
    prompt: options.prompt,
    title: options.title ?? firstLine(options.prompt),
    agent: options.agent,
    model: options.model ?? null,
    phases: options.phases ?? null,
    budgetUsd: options.budgetUsd ?? DEFAULT_BUDGET_USD,
    costUsd: null,
    agentSessionId: null,
    branch: null,
    baseRef: options.base ?? null,
    baseCommit: null,
    worktree: null,
    commonDir: null,
    privateGitDir: null,
    snapshotRef: null,
    treeId: null,
    approvedTreeId: null,
    commit: null,
    testCommands: options.preferences?.testCommands ?? [],
    lastSeq: options.afterSeq ?? 0,
  };
  context.records.create(record);
  return record;
}
