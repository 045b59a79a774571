import { homePaths, type RunLimits, type RunnerOptions, type SessionRecord } from "@codehands/contracts";
import { type AgentDoor } from "../agents/agent-door.ts";
import { agentDoor } from "../agents/pick-agent.ts";
import { defaultHome, ownEnvironment } from "../config.ts";
import type { Workspace } from "../git/workspace.ts";
import { RunnerError } from "../runner-error.ts";
import { ActiveSessions } from "./active-sessions.ts";
import { SessionStore } from "./session-store.ts";

const MINUTE = 60_000;

/** Bounds that hold unless the caller sets others. */
export const DEFAULT_LIMITS: Readonly<RunLimits> = {
  firstLineMs: MINUTE,
  idleMs: 10 * MINUTE,
  wallMs: 240 * MINUTE,
  maxOutputBytes: 2 * 1024 ** 3,
  diskFloorBytes: 500 * 1024 ** 2,
  lingerMs: 10_000,
  graceMs: 5_000,
};

export type RunnerContext = ReturnType<typeof openContext>;

/** Resolves a runner's options once; every part of the runner takes the result. */
export function openContext(options: RunnerOptions) {
  const home = homePaths(options.home ?? defaultHome());
  return {
    home,
    worktreeRoot: options.worktreeRoot ?? home.worktrees,
    homeId: options.homeId ?? "library",
    records: options.records ?? new SessionStore(),
    active: new ActiveSessions(),
    clock: options.clock ?? (() => new Date().toISOString()),
    crashPoint: options.crashPoint ?? (() => {}),
    onPosition: options.onPosition ?? (() => {}),
    environment: options.environment ?? ownEnvironment(),
    agentEnvironment: options.agentEnvironment ?? {},
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    agentCommand: options.agentCommand,
  };
}

/** The program of a session's agent, or null when this version does not know the agent. */
export function programOf(
  context: RunnerContext,
  record: SessionRecord,
): { door: AgentDoor; program: readonly string[] } | null {
  const door = agentDoor(record.agent);
  if (door === null) return null;
  const given = context.agentCommand;
  const own = Array.isArray(given)
    ? given
    : (given as Partial<Record<string, readonly string[]>> | undefined)?.[record.agent];
  return { door, program: own ?? door.program };
}

/** The record of a session, or the error that names it. */
export function recordOf(context: RunnerContext, sessionId: string): SessionRecord {
  const record = context.records.get(sessionId);
  if (record === undefined) throw new RunnerError("not_found", `There is no session ${sessionId}.`);
  return record;
}

/** Where a session's files lie. Refused while it has none. */
export function workspaceOf(record: SessionRecord): Workspace {
  const { worktree, commonDir, privateGitDir, branch, baseCommit } = record;
  if (worktree === null || commonDir === null || privateGitDir === null || branch === null || baseCommit === null) {
    throw new RunnerError(
      "worktree_missing",
      `Session ${record.sessionId} never got a worktree, so there is no change to look at.`,
    );
  }
  return {
    sessionId: record.sessionId,
    repoPath: record.repoPath,
    commonDir,
    privateGitDir,
    worktree,
    branch,
    baseCommit,
  };
}
