import type { DeviceKeys, EpochRoot, WebKey } from "@codehands/vault";

/** A root key as it is kept: bytes on a native admin, which has to hand them on; a key that cannot be read elsewhere. */
export type KeptRoot = EpochRoot | { epoch: number; key: WebKey };

/** Everything secret that a device holds. */
export interface DeviceSecrets {
  keys: DeviceKeys;
  roots: KeptRoot[];
}

/** Keeps the secrets where nothing else lies (V5): a file of mode 0600, or IndexedDB. Never SQLite, never a log. */
export interface KeyStore {
  /** Fresh keys of the sort that this place can keep. Rejects with a reason for a person where it can keep none. */
  make(): Promise<DeviceKeys>;
  load(): Promise<DeviceSecrets | null>;
  /** Replaces all of it, durably. */
  save(secrets: DeviceSecrets): Promise<void>;
  clear(): Promise<void>;
  /** True where roots are kept as bytes, so that this device can hand them on. */
  readonly keepsRootBytes: boolean;
}
