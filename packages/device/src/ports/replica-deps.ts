import type { ChainedEvent } from "@codehands/sync";
import type { DeviceStore } from "./device-store.ts";

/** What the view of other devices' sessions stands on. */
export interface ReplicaDeps {
  store: DeviceStore;
  /** This device as the account knows it; null while it is not signed in. */
  me: () => { deviceId: string; name: string } | null;
  /** Something was written to `store`: it is to be sent at once. */
  changed: () => void;
  /**
   * Events of a log that lie before seq `before`, the oldest first, opened and proved against their chain up to
   * `before`; at least `limit` of them unless the log begins earlier. Rejects when the cloud cannot be reached.
   */
  eventsBefore: (range: { streamId: string; writer: string; before: number; limit: number }) => Promise<ChainedEvent[]>;
  /** ISO time of now. */
  clock: () => string;
  /** Makes ids of commands (UUIDv7). */
  newId: () => string;
  /** How long a command waits for its owner's answer before it is told as pending, milliseconds. */
  patienceMs: number;
  /** True for a device that was removed from the account: nothing is sent to it. None is when absent. */
  isRemoved?: (deviceId: string) => boolean;
  /**
   * The key of the repository at a path of this device, for a start elsewhere; null when there is none. When absent, or
   * null, the given text may be the key of a repository that the account knows.
   */
  repoKeyAt?: (path: string) => Promise<string | null>;
}
