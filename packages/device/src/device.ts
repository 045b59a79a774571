import type { AccountDevicesPort, AccountPort, LocalSyncPort, PairPort, SessionsPort } from "@codehands/api";
import type { Command, SessionStatus } from "@codehands/contracts";
import type { HeldRecord, WaitingEvent } from "@codehands/sync";

/** A device of an account: signs in, pairs, syncs sealed, and shows every session of the account. */
export interface Device {
  account: AccountPort;
  pair: PairPort;
  devices: AccountDevicesPort;
  sync: LocalSyncPort;
  /** The sessions of OTHER devices, and commands to their owners. */
  sessions: SessionsPort;
  /** Loads the account, if there is one, and begins to sync. */
  start(): Promise<void>;
  /** Something of this device's own was committed: it is collected and sent at once, or with what gathers. */
  changed(): void;
  /** What a device needs to write records and logs of its own; null while it has no keys. */
  writing(): Writing | null;
  /** Whether a command record of another device is to be obeyed (V27); null while this device has no keys. */
  authority(): CommandAuthority | null;
  /** Ends the loop and the streams; what is stored stays. */
  close(): Promise<void>;
}

export interface Writing {
  /**
   * As whom own records and logs are written. Another id than the device was opened with after it was signed out and let in
   * again, or became a device of its own: no id comes to a vault twice.
   */
  deviceId: string;
  /** The id of a record whose table has a key of words (repo, preference, note). */
  recordId(kind: number, parts: readonly string[]): Promise<string>;
  /** Chain values of events that follow `prevMac` from seq `from` on, under the newest key epoch. */
  chain(run: { streamId: string; prevMac: string; from: number; events: readonly WaitingEvent[] }): Promise<string[]>;
}

/** An own session as its owner holds it at the moment it decides. */
export interface JudgedSession {
  status: SessionStatus;
  treeId: string | null;
  rev: number;
  /** The own chain value at a seq, base64url; null beyond the end. */
  chainAt: (seq: number) => string | null;
}

export interface CommandAuthority {
  /**
   * Synchronous and pure, so that it fits in the transaction that takes the command on. `wait` is no answer: the sender
   * seals it again, or a person has to look first. What is refused carries a RefusalCode and a sentence.
   */
  judge(
    record: HeldRecord,
    command: Command,
    session: JudgedSession | null,
  ):
    | { ok: true }
    | { ok: false; wait: true; reason: string }
    | { ok: false; wait: false; code: string; reason: string };
}
