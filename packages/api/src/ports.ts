/**
 * What the routers stand on. A daemon implements these over its database and runner; a browser
 * will implement the same over its replica. A missing port is a compile error.
 */
import type { AgentKind } from "@codehands/contracts";
import type {
  AccountView,
  Credentials,
  LoggedOut,
  LogOutInput,
  Recovered,
  RecoverInput,
  RenewedCode,
  SignedUp,
} from "./schemas/account.ts";
import type {
  AccountDevices,
  DeviceAnswer,
  FingerprintView,
  SyncIdentity,
  SyncView,
} from "./schemas/account-device.ts";
import type {
  ApproveInput,
  CleanInput,
  CommandAnswer,
  CommandState,
  DiscardInput,
  RejectInput,
  ResumeInput,
  SentCommand,
  StartInput,
  StopInput,
} from "./schemas/command.ts";
import type { AgentView, DoctorReport, HealthView, UsageQuery, UsageReport } from "./schemas/device.ts";
import type {
  ApprovePairingInput,
  BeginPairing,
  BegunPairing,
  FoundPairing,
  InvitedState,
  InviterState,
  LookUpPairing,
  MadeInvitation,
  NewcomerState,
  PairingAnswer,
} from "./schemas/pair.ts";
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
  /** What became of a command that was sent from here, or is carried out here. */
  commandState(commandId: string): Promise<CommandState>;
  /** Takes a command back that its owner has not begun; null for an unknown one. */
  withdraw(commandId: string, caller: Caller): Promise<CommandState>;
  /** What was sent from here to other devices in the last 7 days, answered or not, newest first; at most 100. */
  sentCommands(): Promise<SentCommand[]>;
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

/** The account of this device. A refusal is an answer; what cannot be reached is one too. */
export interface AccountPort {
  status(): Promise<AccountView>;
  /** Makes an account with this device as its first, and its vault. An account without a vault gets one. */
  signUp(input: Credentials): Promise<SignedUp>;
  /** Logs in. Where the account has a vault, the device is `locked` until it is paired or recovered. */
  logIn(input: Credentials): Promise<SignedUp>;
  /** Forgets keys and what came from other devices; what this device made stays. */
  logOut(input: LogOutInput): Promise<LoggedOut>;
  /** Joins with the recovery code, and makes a new code. */
  recover(input: RecoverInput): Promise<Recovered>;
  /** Replaces the recovery code of the account, on a device that may: the code before it is void. */
  renewCode(): Promise<RenewedCode>;
}

/** Pairing, both sides. One pairing at a time on each side; a new one ends the old. */
export interface PairPort {
  /** The new device. */
  begin(input: BeginPairing): Promise<BegunPairing>;
  state(pairingId: string): Promise<NewcomerState>;
  /** The person's yes after "let in by …": only now is anything stored. */
  accept(pairingId: string): Promise<NewcomerState>;
  /** A device that may let others in. */
  lookUp(input: LookUpPairing): Promise<FoundPairing>;
  /** Expects a new device: an invitation saves typing its code. A new one ends the one before. */
  invite(): Promise<MadeInvitation>;
  /** Whether somebody came with it; then the offer is made, once. */
  invited(invitation: string): Promise<InvitedState>;
  offered(pairingId: string): Promise<InviterState>;
  approve(input: ApprovePairingInput): Promise<PairingAnswer>;
  /** Either side ends it; an invitation that nobody used is named by itself. */
  cancel(pairingId: string): Promise<void>;
}

export interface AccountDevicesPort {
  list(): Promise<AccountDevices>;
  /** Renames this device. */
  rename(name: string): Promise<DeviceAnswer>;
  /** Removes a device from the account, with a new key epoch: it reads nothing that is written from now on. */
  revoke(deviceId: string): Promise<DeviceAnswer>;
  /** Null when not signed in. */
  fingerprint(): Promise<FingerprintView | null>;
}

export interface LocalSyncPort {
  status(): Promise<SyncView>;
  /** Exchanges at once, and answers when nothing is left to send or fetch, or after a few seconds. */
  now(): Promise<SyncView>;
  pause(): Promise<SyncView>;
  resume(): Promise<SyncView>;
  /** Forgets what the cloud said and asks for all of it again; nothing that is held here is lost. */
  reset(): Promise<SyncView>;
  /** A person has looked at the suspicions: commands of other devices are obeyed again. */
  acknowledge(): Promise<SyncView>;
  identity(choice: SyncIdentity): Promise<SyncView>;
}

/** Everything the daemon's router needs. */
export interface LocalPorts {
  sessions: SessionsPort;
  repos: ReposPort;
  health: HealthPort;
  settings: SettingsPort;
  usage: UsagePort;
  agents: AgentsPort;
  account: AccountPort;
  pair: PairPort;
  devices: AccountDevicesPort;
  sync: LocalSyncPort;
}
