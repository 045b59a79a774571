/** What the cloud's router stands on. The cloud implements these over its database. A missing port is a compile error. */

import type { PullRequest } from "@codehands/contracts";
import type {
  AccountView,
  ChallengeInput,
  ChallengeView,
  CloudDevice,
  RevokeAnswer,
  TokenAnswer,
  TokenInput,
} from "./schemas/cloud/device.ts";
import type { LivePoke } from "./schemas/cloud/live.ts";
import type {
  ApprovePairing,
  EndPairing,
  InvitationState,
  InvitedPairing,
  LookedUpPairing,
  OfferedPairing,
  OfferPairing,
  PairingStep,
  PolledPairing,
  RedeemedPairing,
  RevealPairing,
  StartedPairing,
  StartPairing,
} from "./schemas/cloud/pairing.ts";
import type { RosterAppend, RosterAppended, RosterGet, RosterPage } from "./schemas/cloud/roster.ts";
import type {
  CompactReply,
  CompactRequest,
  PullReply,
  PushAnswer,
  PushBatch,
  SegmentsReply,
  SegmentsRequest,
  SyncHello,
  SyncHelloReply,
} from "./schemas/cloud/sync.ts";

/** A device that showed its access token. */
export interface DeviceCaller {
  kind: "device";
  accountId: string;
  deviceId: string;
}

/** A person who logged in with a password: account pages only, never a token, never a key. */
export interface LoginCaller {
  kind: "login";
  accountId: string;
}

export type AccountCaller = DeviceCaller | LoginCaller;

/** Where a call came from, for limits: an IPv4 address, or the /64 of an IPv6 one. */
export type CallerAddress = string;

export interface AccountsPort {
  status(caller: AccountCaller): Promise<AccountView>;
}

export interface DevicesPort {
  /** Answers the same way for a device that is not known. */
  challenge(input: ChallengeInput, address: CallerAddress): Promise<ChallengeView>;
  token(input: TokenInput, address: CallerAddress): Promise<TokenAnswer>;
  list(caller: AccountCaller): Promise<CloudDevice[]>;
  /** Its tokens are refused and its streams end within a second. */
  revoke(caller: AccountCaller, deviceId: string): Promise<RevokeAnswer>;
}

export interface RosterPort {
  get(caller: AccountCaller, query: RosterGet): Promise<RosterPage>;
  /** Statements and envelopes in one transaction. */
  append(caller: AccountCaller, append: RosterAppend): Promise<RosterAppended>;
}

export interface PairingPort {
  start(input: StartPairing, address: CallerAddress): Promise<StartedPairing>;
  lookup(device: DeviceCaller, userCode: string, address: CallerAddress): Promise<LookedUpPairing>;
  /** An invitation for one new device: it names the pairing to its maker, and lets nobody in. */
  invite(device: DeviceCaller): Promise<InvitedPairing>;
  /** Changes nothing, however often it is asked. */
  invited(device: DeviceCaller, invitation: string): Promise<InvitationState>;
  offer(device: DeviceCaller, input: OfferPairing): Promise<PairingStep>;
  /** Changes nothing, however often it is asked. */
  poll(pollToken: string): Promise<PolledPairing>;
  reveal(input: RevealPairing): Promise<PairingStep>;
  offered(device: DeviceCaller, pairingId: string): Promise<OfferedPairing>;
  /** Statement, envelope and state in one transaction; a roster that went on meanwhile is CONFLICT. */
  approve(device: DeviceCaller, input: ApprovePairing): Promise<PairingStep>;
  /** One of any number of parallel calls gets it. */
  redeem(pollToken: string): Promise<RedeemedPairing>;
  end(input: EndPairing, device: DeviceCaller | null): Promise<PairingStep>;
}

export interface SyncPort {
  hello(device: DeviceCaller, hello: SyncHello): Promise<SyncHelloReply>;
  pull(device: DeviceCaller, request: PullRequest): Promise<PullReply>;
  push(device: DeviceCaller, batch: PushBatch): Promise<PushAnswer>;
  segments(device: DeviceCaller, request: SegmentsRequest): Promise<SegmentsReply>;
  compact(device: DeviceCaller, request: CompactRequest): Promise<CompactReply>;
}

export interface LivePort {
  /**
   * First the head as it is, then each newer one: a poke that came while another was on its way replaces it. Ends when
   * `signal` aborts, when the device is revoked, and with `bye` when the server stops.
   */
  watch(device: DeviceCaller, signal: AbortSignal): AsyncIterable<LivePoke>;
}

/** Everything the cloud's router needs. */
export interface CloudPorts {
  accounts: AccountsPort;
  devices: DevicesPort;
  roster: RosterPort;
  pairing: PairingPort;
  sync: SyncPort;
  live: LivePort;
}

/** Faults of a port that are no bugs. */
export type CloudFault =
  /** Too many tries; `retryAfter` says in how many seconds there is another. */
  | "too_many"
  /** The database cannot be reached at the moment. */
  | "unavailable"
  /** The device was cut off while its stream was open. */
  | "cut_off"
  | "not_allowed";
