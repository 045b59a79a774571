/** Contract C2: the boundary between a daemon and a runner. */
import type { Diff } from "./diff.ts";
import type { RunnerEvent } from "./event.ts";
import type { AgentKind, ContinuesAs, EndReason, Phases, Preferences, Run } from "./session.ts";

export interface StartOptions {
  /** A UUIDv4, also Claude Code's --session-id. Its first 8 hex digits name branch and folder. */
  sessionId: string;
  repoPath: string;
  prompt: string;
  agent: AgentKind;
  model?: string;
  /** US dollars; 0.50 when absent. */
  budgetUsd?: number;
  /** The ref to start from; HEAD when absent. */
  base?: string;
  title?: string;
  phases?: Phases;
  preferences?: Preferences;
  /** The repository's notes, given to the agent before the run. */
  notes?: string;
  /** Numbering goes on after this seq. */
  afterSeq?: number;
  continues?: { sessionId: string; as: ContinuesAs; agentSessionId?: string; prompt?: string };
  /** Let the agent read the repository's own agent settings: only after a person trusted them. */
  trustRepoSettings?: boolean;
}

export interface StopOptions {
  /** Skip the five seconds of grace. */
  now?: boolean;
  /** Why; "person" when absent. */
  reason?: EndReason;
  /** The device that asked. */
  by?: string;
}

export interface ResumeOptions {
  /** New total budget of the session, US dollars. */
  budgetUsd?: number;
  trustRepoSettings?: boolean;
}

export interface ApproveOptions {
  /** The commit's time (ISO). The same time gives the same commit, so a retry after a crash is harmless. */
  at?: string;
  /** Refuse with `stale_tree` unless the worktree still has this content. */
  treeId?: string;
  absorbNested?: boolean;
  allowSecrets?: boolean;
  allowLarge?: boolean;
  allowShrunk?: boolean;
}

/**
 * Owns the worktrees and agent processes of one device. A refused call throws the
 * runner's error with a `RefusalCode`; a run that fails ends with `task.failed`.
 */
export interface Runner {
  start(o: StartOptions): AsyncIterable<RunnerEvent>;
  /** Resolves when no process of the run is left. */
  stop(sessionId: string, options?: StopOptions): Promise<void>;
  resume(sessionId: string, prompt?: string, options?: ResumeOptions): AsyncIterable<RunnerEvent>;
  diff(sessionId: string): Promise<Diff>;
  approve(
    sessionId: string,
    message: string,
    options?: ApproveOptions,
  ): Promise<{ branch: string; commit: string; treeId: string }>;
  reject(sessionId: string): Promise<void>;
  /** Goes on reading a run that an earlier process of ours started. */
  attach(run: Run): AsyncIterable<RunnerEvent>;
  /** Brings a rejected or discarded session's content back as the session `into`. */
  undo(sessionId: string, into: string): AsyncIterable<RunnerEvent>;
  discard(sessionId: string): Promise<void>;
  /** Pins the worktree's content in the private git folder. */
  snapshot(sessionId: string): Promise<{ treeId: string; ref: string }>;
}
