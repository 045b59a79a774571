/** Sessions, the things around them, and the moves between their seven statuses. */

export const SESSION_STATUSES = [
  "queued",
  "running",
  "stopped",
  "awaiting_approval",
  "approved",
  "rejected",
  "failed",
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The eleven legal moves. A status with an empty list is final. */
export const SESSION_TRANSITIONS: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  queued: ["running", "failed"],
  running: ["stopped", "awaiting_approval", "failed"],
  stopped: ["running", "failed"],
  awaiting_approval: ["approved", "rejected", "failed"],
  approved: [],
  rejected: [],
  failed: [],
};

/** True when a session may move from one status to the other. The single check every part uses. */
export function canTransition(from: SessionStatus, to: SessionStatus): boolean {
  return SESSION_TRANSITIONS[from].includes(to);
}

export const AGENT_KINDS = ["claude-code", "codex", "air", "sample"] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

export const PROVIDER_STATES = [
  "rate_limited",
  "auth_expired",
  "usage_limit",
  "subscription_inactive",
  "down",
] as const;
/** Why a model provider does not answer as wished. */
export type ProviderState = (typeof PROVIDER_STATES)[number];

export interface ProviderStatus {
  agent: AgentKind;
  deviceId: string;
  state: ProviderState | "ok";
  /** ISO time when the provider may answer again. */
  retryAt: string | null;
  detail: string;
  at: string;
}

export interface AgentStatus {
  agent: AgentKind;
  /** The program found, or null when there is none. */
  path: string | null;
  version: string | null;
  signedIn: boolean | "unknown";
  provider: ProviderStatus | null;
}

export type DeviceRole = "admin" | "command" | "run";

export interface Device {
  id: string;
  name: string;
  kind: "daemon" | "browser" | "program";
  platform: "linux" | "darwin" | "win32" | "web";
  version: string;
  /** Public keys, base64url. */
  sign: string;
  agree: string;
  roles: DeviceRole[];
  agents: AgentStatus[];
  createdAt: string;
  lastSeenAt: string | null;
  revokedAt: string | null;
}

/** A repository as every device names it: by its key, never by a folder. */
export interface Project {
  /** First 12 hex digits of the SHA-1 of the origin URL, or of the absolute path without an origin. */
  repoKey: string;
  name: string;
  /** The origin URL without credentials. */
  remote: string | null;
  matchKey: string;
  defaultBranch: string | null;
  /** Hash of the repository's own settings that a person has trusted. */
  trustedHash: string | null;
  createdAt: string;
  lastUsedAt: string;
}

/** A checkout of a project on one device. It never leaves that device. */
export interface Clone {
  repoKey: string;
  deviceId: string;
  path: string;
  commonDir: string;
  rootCommit: string | null;
  objectFormat: "sha1" | "sha256";
}

/** What a person asked for. Its sessions are the attempts at it. */
export interface Task {
  id: string;
  repoKey: string;
  title: string;
  prompt: string;
  createdBy: string;
  createdAt: string;
  activeSessionId: string | null;
  closedAt: string | null;
}

export const END_REASONS = [
  "cancelled",
  "discarded",
  "superseded",
  "person",
  "budget",
  "rate_limited",
  "usage_limit",
  "auth_expired",
  "subscription_inactive",
  "down",
  "stalled",
  "no_first_line",
  "no_result",
  "agent_error",
  "wall_clock",
  "output_limit",
  "disk_full",
  "worktree_missing",
  "repo_missing",
  "not_a_repo",
  "spawn_failed",
  "exit_unknown",
  "unsupported_agent",
  "unsupported_repo",
  "daemon_restart",
  "branch_blocked",
] as const;
/** Why a run or a session ended other than by finishing its work. */
export type EndReason = (typeof END_REASONS)[number];

export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
}

/** One model per phase of the work. */
export interface Phases {
  plan?: { model: string };
  execute?: { model: string };
}

export interface Preferences {
  agent?: AgentKind;
  model?: string;
  phases?: Phases;
  /** US dollars. */
  budgetUsd?: number;
  budgetTokens?: number;
  testCommands?: string[];
  language?: string;
  /** The ref that new sessions start from. */
  base?: string;
}

export type ContinuesAs = "follow_up" | "retry" | "undo" | "handover" | "fork";

/** One run of a task on one repository, as the device that owns it stores it. */
export interface Session {
  id: string;
  taskId: string;
  repoKey: string;
  repoPath: string;
  deviceId: string;
  title: string;
  prompt: string;
  agent: AgentKind;
  model: string | null;
  phases: Phases | null;
  status: SessionStatus;
  reason: EndReason | null;
  continuesId: string | null;
  continuesAs: ContinuesAs | null;
  supersededBy: string | null;
  branch: string | null;
  baseRef: string | null;
  baseCommit: string | null;
  worktree: string | null;
  /** Git tree id of the worktree's content: what is reviewed is what is approved. */
  treeId: string | null;
  commit: string | null;
  approvedTreeId: string | null;
  /** The agent CLI's own session. */
  agentSessionId: string | null;
  costUsd: number | null;
  budgetUsd: number | null;
  usage: Usage | null;
  numTurns: number | null;
  diff: { files: number; additions: number; deletions: number } | null;
  tests: { command: string; passed: boolean; seq: number } | null;
  lastSeq: number;
  pushedSeq: number;
  /** Counts the changes of this row. */
  rev: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

/** One agent process of a session. A resume is a new run. */
export interface Run {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … within the session. */
  ordinal: number;
  phase: "plan" | "execute" | "single";
  kind: "start" | "resume" | "continue";
  model: string | null;
  prompt: string | null;
  state: "spawning" | "live" | "ended";
  pid: number | null;
  pgid: number | null;
  /** Start time of the process in clock ticks since boot: with the pid it names one process for ever. */
  startTicks: string | null;
  bootId: string | null;
  /** The byte after the last complete line that is stored as events. */
  byteOffset: number;
  errOffset: number;
  exitCode: number | null;
  signal: string | null;
  costUsd: number | null;
  startedAt: string;
  endedAt: string | null;
}
