import type { WireStatement } from "@codehands/api/cloud";
import type { RecordMark } from "@codehands/vault";

/** What a device remembers of its account. No key and no token is in it. */
export interface StoredAccount {
  cloudUrl: string;
  /** Null on a device that was let in by pairing and never logged in. */
  email: string | null;
  /** 16 bytes, base64url. */
  vault: string;
  deviceId: string;
  /** Made anew whenever the database is found to have gone back (V25). */
  incarnation: string;
  /** The whole roster, in order. It is only ever extended (V9). */
  statements: WireStatement[];
  /** The highest n that was handed out (V22). */
  lastN: number;
  /** What the device that let this one in had seen (V25). */
  inherited: Record<string, RecordMark>;
  paused: boolean;
  /** Fingerprints of the suspicions that a person has looked at (V24). */
  acknowledged: string[];
  /** Why sync is stopped for good until a person acts: a code of the vault; null when it is not. */
  stopped: string | null;
}

/** Keeps the account. Each call is one durable write; when it rejects, nothing was written. */
export interface AccountStore {
  load(): Promise<StoredAccount | null>;
  save(account: StoredAccount): Promise<void>;
  /** Changes some fields of a stored account in one transaction. */
  change(fields: Partial<StoredAccount>): Promise<void>;
  /** Raises `lastN` by `count` and returns the first of the numbers that are now used: none is ever given twice. */
  takeN(count: number): Promise<number>;
  /**
   * Signed out: forgets the account, the sync's memory and everything that came from other devices. What this device
   * made itself stays.
   */
  clear(): Promise<void>;
}
