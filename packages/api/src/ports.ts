/**
 * What the routers stand on. A daemon implements these over its database and runner; a browser
 * will implement the same over its replica. A missing port is a compile error.
 */
import type { AgentKind } from "@codehands/contracts";
import type {
  ApproveInput,
  CleanInput,
  CommandAnswer,
  DiscardInput,
  RejectInput,
  ResumeInput,
  StartInput,
  StopInput,
} from "./schemas/command.ts";
import type { AgentView, DoctorReport, HealthView, UsageQuery, UsageReport } from "./schemas/device.ts";
import type { RepoTrust, RepoView, SampleRepoView } from "./schemas/repo.ts";
import type {
  DiffView,
  EventPage,
  EventQuery,
  Resolved,
  SessionPage,
  SessionQuery,
  SessionView,
  WatchFrame,
  WatchQuery,
} from "./schemas/session.ts";
import type { ConfigEntry } from "./schemas/settings.ts";

/** Who is calling: a person, or a process that descends from an agent's run. */
export interface Caller {
  runId: string | null;
}

export interface SessionsPort {
  list(query: SessionQuery): Promise<SessionPage>;
  get(sessionId: string): Promise<SessionView | null>;
  /** Finds the one session that a person's short name means. */
  resolve(ref: string): Promise<Resolved>;
  events(query: EventQuery): Promise<EventPage>;
  /** Null when the session is unknown or has no worktree or snapshot left. */
  diff(sessionId: string): Promise<DiffView | null>;
  start(input: StartInput, caller: Caller): Promise<CommandAnswer>;
  stop(input: StopInput, caller: Caller): Promise<CommandAnswer>;
  resume(input: ResumeInput, caller: Caller): Promise<CommandAnswer>;
  approve(input: ApproveInput, caller: Caller): Promise<CommandAnswer>;
  reject(input: RejectInput, caller: Caller): Promise<CommandAnswer>;
  discard(input: DiscardInput, caller: Caller): Promise<CommandAnswer>;
  clean(input: CleanInput, caller: Caller): Promise<CommandAnswer>;
  /**
   * First the session as it is, then the stored events after `afterSeq`, then each new event once it is committed and
   * the session whenever it changed. Events are dense and in order. Ends when `signal` aborts.
   */
  watch(query: WatchQuery, signal: AbortSignal): AsyncIterable<WatchFrame>;
}

export interface ReposPort {
  list(): Promise<RepoView[]>;
  trustState(path: string): Promise<RepoTrust>;
  /** Trusts exactly the settings with this hash; `ok: false` when they changed meanwhile. */
  trust(path: string, hash: string): Promise<{ ok: boolean; state: RepoTrust }>;
  untrust(path: string): Promise<RepoTrust>;
  /** Makes the sample repository below our own folder, or finds it again with its bug in it. */
  sample(): Promise<SampleRepoView>;
  /** Tells where a moved checkout lies now. */
  relocate(from: string, to: string): Promise<{ ok: true; repo: RepoView } | { ok: false; reason: string }>;
}

export interface HealthPort {
  health(): Promise<HealthView>;
  doctor(options: { fix: boolean; probe: boolean }): Promise<DoctorReport>;
  /** Answers first, then stops taking work, waits for what is being written and exits. Agents go on. */
  shutdown(): Promise<void>;
}

export interface SettingsPort {
  list(repoPath: string | null): Promise<ConfigEntry[]>;
  get(key: string, repoPath: string | null): Promise<ConfigEntry | null>;
  /** Writes the person's config file. `ok: false` with a sentence for an unknown key or a bad value. */
  set(key: string, value: unknown): Promise<{ ok: true; entry: ConfigEntry } | { ok: false; reason: string }>;
  unset(key: string): Promise<{ ok: true } | { ok: false; reason: string }>;
}

export interface UsagePort {
  report(query: UsageQuery): Promise<UsageReport>;
}

export interface AgentsPort {
  list(): Promise<AgentView[]>;
  /** The agent that a run without `--agent` takes. */
  preferred(repoPath: string | null): Promise<AgentKind>;
}

/** Everything the daemon's router needs. */
export interface LocalPorts {
  sessions: SessionsPort;
  repos: ReposPort;
  health: HealthPort;
  settings: SettingsPort;
  usage: UsagePort;
  agents: AgentsPort;
}
