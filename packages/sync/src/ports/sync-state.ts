/** What a device remembers of its sync; one row. */
export interface SyncState {
  deviceId: string;
  /** Boot ids of all processes, the newest last; at most BOOTS_KEPT. */
  boots: string[];
  mode: "register" | "adopt" | null;
  /** With `adopt`: the boot id that the refusal showed. */
  seen: string | null;
  /** The lineage of the cloud; empty before the first hello. */
  epoch: string;
  cursor: number;
  /** The newest version seen in this lineage. */
  top: number;
  /** Grows with each reset, so that a late reply is known as one. */
  gen: number;
  /** XOR over the rows held, S11. */
  sum: string;
  reset: { since: number | null; reason: "lineage" | "purged" } | null;
  copy: { seen: string } | null;
  revoked: boolean;
  /** How often S11 found a difference. */
  sumResets: number;
}

export const BOOTS_KEPT = 256;
export const EMPTY_SUM = "0000000000000000";

/** A device that never met the cloud. */
export function newSyncState(deviceId: string): SyncState {
  return {
    deviceId,
    boots: [],
    mode: "register",
    seen: null,
    epoch: "",
    cursor: 0,
    top: 0,
    gen: 0,
    sum: EMPTY_SUM,
    reset: null,
    copy: null,
    revoked: false,
    sumResets: 0,
  };
}
