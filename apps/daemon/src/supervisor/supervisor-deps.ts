import type { StartInput } from "@codehands/api";
import type {
  AgentKind,
  CrashPoint,
  HomePaths,
  Phases,
  RefusalCode,
  Runner,
  RunnerOptions,
  SessionRecords,
} from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import type { CloneFacts } from "../repos/clone-rows.ts";
import type { RepoFacts } from "../repos/repo-rows.ts";

/** Everything a start needs that its sender left open, found in settings, preferences and the repository. */
export interface ResolvedStart {
  ok: true;
  repo: RepoFacts;
  clone: CloneFacts;
  agent: AgentKind;
  model: string | null;
  phases: Phases | null;
  /** US dollars. */
  budgetUsd: number | null;
  testCommands: string[];
  /** The ref to start from; null for HEAD. */
  base: string | null;
  /** The repository's notes for the agent. */
  notes: string | null;
  /** Whether the person trusted the settings that the repository has now. */
  trustRepoSettings: boolean;
}

export type ResolveStart = (
  input: StartInput,
) => Promise<ResolvedStart | { ok: false; code: RefusalCode; reason: string; next: string | null }>;

/** Where the supervisor tells what a person running a daemon may want to know. Fields are plain data. */
export interface SupervisorLog {
  info(what: Record<string, unknown>, message: string): void;
  warn(what: Record<string, unknown>, message: string): void;
  error(what: Record<string, unknown>, message: string): void;
}

/** Settings that are read each time they are needed, so that a change counts at once. */
export interface SupervisorSettings {
  /** Runs at the same time. */
  readonly concurrency: number;
  readonly trashDays: number;
  /** Where the worktrees lie. */
  readonly worktreeRoot: string;
}

export interface SupervisorDeps {
  store: OpenDatabase;
  /** Makes the runner that works on these records. */
  makeRunner: (
    options: Required<Pick<RunnerOptions, "onPosition" | "crashPoint" | "clock">> & { records: SessionRecords },
  ) => Runner;
  /** ISO time of now. */
  clock: () => string;
  /** Asked each time: a copy of a home may become a device of its own while it runs. */
  readonly deviceId: string;
  readonly deviceName: string;
  /** This start of the daemon. */
  bootId: string;
  paths: HomePaths;
  settings: SupervisorSettings;
  resolveStart: ResolveStart;
  /** Whether a resumed agent may read the repository's own settings; never when absent. */
  trustsRepo?: (repoKey: string, repoPath: string) => boolean | Promise<boolean>;
  log: SupervisorLog;
  crashPoint: CrashPoint;
}
