/** Contract C2: the boundary between a daemon and a runner. */
import type {
  AgentKind,
  ContinuesAs,
  EndReason,
  Phases,
  Preferences,
  ProviderState,
  Run,
  SessionStatus,
} from "./session.ts";

export const RUNNER_EVENT_TYPES = [
  "task.started",
  "message",
  "file.read",
  "file.changed",
  "command.started",
  "command.finished",
  "test.result",
  "task.finished",
  "task.failed",
  "task.stopped",
  "provider.status",
] as const;
export type RunnerEventType = (typeof RUNNER_EVENT_TYPES)[number];

/** The event types that end a run. */
export const TERMINAL_EVENT_TYPES = ["task.finished", "task.failed", "task.stopped"] as const;

export interface RunnerEvent {
  sessionId: string;
  /** 1, 2, 3 … per session, never reused, continues after a resume. */
  seq: number;
  type: RunnerEventType;
  /** ISO time. */
  at: string;
  payload: Record<string, unknown>;
  /** The agent's original line, with secrets masked. Never leaves the device. */
  raw?: unknown;
}

/** What each event carries. Payloads are loose: a reader takes what it knows. */
export interface EventPayloads {
  "task.started": {
    agent: AgentKind;
    model: string | null;
    cwd: string;
    agentSessionId: string | null;
    runId: string;
    phase: Run["phase"];
    resumed?: true;
    restoredFrom?: string;
  };
  message: {
    text: string;
    role?: "agent" | "plan" | "notice";
    denied?: true;
    tool?: string;
    severity?: "info" | "warn";
    truncated?: true;
    /** Size in bytes of what was cut. */
    bytes?: number;
    subagent?: string;
    phase?: string;
  };
  "file.read": { path: string | null; pattern?: string; tool: string; paths?: string[] };
  "file.changed": { path: string; tool: string; change: "add" | "update" | "delete" | "unknown"; outside?: true };
  "command.started": { command: string; tool: string; callId: string };
  "command.finished": {
    command: string;
    callId: string;
    isError: boolean;
    denied: boolean;
    exitCode: number | null;
    /** At most 64 KB; the tail is kept. */
    output: string;
    truncated?: true;
    unfinished?: true;
    durationMs?: number;
  };
  "test.result": {
    command: string;
    passed: boolean;
    callId: string;
    failed?: string[];
    counts?: { passed: number; failed: number; skipped: number };
  };
  "task.finished": {
    total_cost_usd: number | null;
    usage: unknown;
    num_turns: number | null;
    result: string;
    diffStat: string;
    treeId: string;
    denied?: number;
    restored?: true;
  };
  "task.failed": {
    reason: EndReason;
    detail: string;
    stderr?: string;
    exitCode?: number | null;
    total_cost_usd?: number | null;
  };
  "task.stopped": { reason: EndReason; by?: string; total_cost_usd?: number | null; retryAt?: string };
  "provider.status": {
    state: ProviderState;
    retryAt?: string;
    detail: string;
    transient: boolean;
    attempt?: number;
  };
}

/** An event with its payload typed by its type. */
export type TypedEvent = {
  [T in RunnerEventType]: Omit<RunnerEvent, "type" | "payload"> & { type: T; payload: EventPayloads[T] };
}[RunnerEventType];

/** Narrows an event to its typed form. The payload is not checked: it was written by a runner of ours. */
export function isEventOf<T extends RunnerEventType>(
  event: RunnerEvent,
  type: T,
): event is Extract<TypedEvent, { type: T }> & RunnerEvent {
  return event.type === type;
}

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

export interface DiffFile {
  path: string;
  oldPath?: string;
  status: "A" | "M" | "D" | "R" | "T";
  additions: number;
  deletions: number;
  binary: boolean;
  generated: boolean;
  bytes: number;
}

/** What a review needs. */
export interface Diff {
  /** A unified patch that `git apply` takes. Never rewritten. */
  patch: string;
  stat: string;
  treeId: string;
  files: DiffFile[];
  /** Ignored paths: not part of the change. */
  ignored: string[];
  /** Nested repositories: their files are not part of the change. */
  nested: string[];
  secrets: { path: string; line: number; rule: string }[];
  /** What the agent changed in the repository's git configuration and hooks. */
  configChanged: string[];
  /** The patch was cut after a whole file; `files` and `stat` are exact all the same. */
  truncated?: true;
  /** The worktree is gone: this is the pinned snapshot. */
  fromSnapshot?: true;
  /** Fifos, sockets, devices, unreadable files and names that git cannot hold: not part of the change. */
  special?: string[];
  /** Files over 50 MB: part of the change only when the person allows it. */
  large?: { path: string; bytes: number }[];
  /** Changed paths that a git filter of the repository would rewrite: approve refuses them. */
  filtered?: string[];
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
