import type { AgentStatus } from "@codehands/contracts";
import type { CommandPolicy, Ports } from "@codehands/vault";
import type { AccountStore } from "./account-store.ts";
import type { DeviceStore } from "./device-store.ts";
import type { KeyStore } from "./key-store.ts";

/** What a device says of itself in its signed record. */
export interface AboutDevice {
  name: string;
  kind: "daemon" | "browser" | "program";
  platform: "linux" | "darwin" | "win32" | "web";
  version: string;
  /** Asked each time the device record is written. */
  agents?: () => Promise<AgentStatus[]>;
}

export interface DeviceOptions {
  store: DeviceStore;
  account: AccountStore;
  keys: KeyStore;
  about: AboutDevice;
  /** The id of this device: what `store` and every own row stand under. A UUID that was made with the database. */
  deviceId: string;
  /** A fresh UUID for this process (S1). */
  boot: string;
  /** ISO time of now. */
  clock: () => string;
  /** Faster codec, chain and cipher than WebCrypto; the bytes are equal. */
  ports?: Partial<Ports>;
  /** False keeps lengths from telling what compresses well (`sync.compress`). */
  compress?: boolean;
  fetch?: typeof fetch;
  /** Whose commands this device obeys (`commands.from`); those of all members when absent. Asked at each command. */
  commandsFrom?: () => CommandPolicy;
  /** Told of faults that nobody waits for. No secret is in it. */
  onFault?: (fault: { what: string; error: unknown }) => void;
  /**
   * Called before each round of the sync: a device whose own tables are elsewhere than in its records writes what has
   * changed there as records and logs.
   */
  collect?: () => Promise<void>;
  /** What waits to be collected: a person is told it as pending. */
  uncollected?: () => { events: number; records: number };
}
