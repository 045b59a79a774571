/** What a runner is made with, and what it keeps. */
import type { AgentKind, Phases, Run, SessionStatus } from "./session.ts";

/** What a runner must remember of a session. */
export interface SessionRecord {
  sessionId: string;
  repoPath: string;
  repoKey: string;
  prompt: string;
  title: string;
  agent: AgentKind;
  model: string | null;
  phases: Phases | null;
  budgetUsd: number | null;
  costUsd: number | null;
  agentSessionId: string | null;
  branch: string | null;
  baseRef: string | null;
  baseCommit: string | null;
  worktree: string | null;
  commonDir: string | null;
  privateGitDir: string | null;
  snapshotRef: string | null;
  treeId: string | null;
  approvedTreeId: string | null;
  commit: string | null;
  /** Shell commands that the agent may run without asking. */
  testCommands?: readonly string[];
  lastSeq: number;
}

/** Where a runner keeps its records. Synchronous and durable: a call that returned is stored. */
export interface SessionRecords {
  get(sessionId: string): SessionRecord | undefined;
  status(sessionId: string): SessionStatus | undefined;
  create(record: SessionRecord): void;
  update(sessionId: string, change: Partial<Omit<SessionRecord, "sessionId">>): void;
  /**
   * Called before the event that makes the move is yielded, and at approve and reject. A store
   * that moves the status in its own transaction only checks that the move is legal.
   */
  move(sessionId: string, to: SessionStatus): void;
  runs(sessionId: string): Run[];
  putRun(run: Run): void;
}

/** Bounds of one run. */
export interface RunLimits {
  /** Until the first line of output, ms. */
  firstLineMs: number;
  /** Without output and without CPU time, ms. */
  idleMs: number;
  wallMs: number;
  maxOutputBytes: number;
  /** Free space below which a run is ended, bytes. */
  diskFloorBytes: number;
  /** From the result to the end of a process that does nothing any more, ms. */
  lingerMs: number;
  /** From the polite signal to the end by force, ms. */
  graceMs: number;
}

/** A named place where a test may kill the process. */
export type CrashPoint = (name: string) => void | Promise<void>;

/**
 * How far a run's output is turned into events. Handed over after the last event of a line was
 * taken by the consumer: all events taken since the last position belong to one transaction with it.
 */
export interface RunPosition {
  sessionId: string;
  runId: string;
  byteOffset: number;
}

export interface RunnerOptions {
  /** Where worktrees lie; `<home>/worktrees` when absent. */
  worktreeRoot?: string;
  /** Our own folder; `~/.codehands` when absent. */
  home?: string;
  /** Swaps the program of every agent, or of some. */
  agentCommand?: readonly string[] | Partial<Record<AgentKind, readonly string[]>>;
  records?: SessionRecords;
  crashPoint?: CrashPoint;
  /** ISO time of now. */
  clock?: () => string;
  /** Written into the marker of each worktree, so that two homes never clean each other's. */
  homeId?: string;
  /** Where the agents' environment is taken from, through a white list; this process's when absent. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that pass to an agent. */
  agentEnvironment?: Partial<Record<AgentKind, readonly string[]>>;
  limits?: Partial<RunLimits>;
  onPosition?: (position: RunPosition) => void;
}
