import type { ChainedEvent, HeldLog, HeldRecord, Store } from "@codehands/sync";

/** The newest events of a log, or the first ones after a seq. */
export type EventRange = { streamId: string; limit: number } & ({ after: number } | { newest: true });

/**
 * A device's database: the store of the sync, and what a replica looks up in it. Reads see committed data only.
 */
export interface DeviceStore extends Store {
  /** All records of one kind, tombstones included. */
  recordsOf(kind: number): Promise<HeldRecord[]>;
  /** All records, for the views and digests of V23 and V24. */
  allRecords(): Promise<HeldRecord[]>;
  /** Records that the cloud refused, and those whose row could not be opened. */
  refusedRecords(): Promise<HeldRecord[]>;
  logOf(streamId: string): Promise<HeldLog | null>;
  eventsOf(range: EventRange): Promise<ChainedEvent[]>;
  /** Calls `listener` after each commit that touched records or logs, until the returned function is called. */
  onCommit(listener: (touched: Touched) => void): () => void;
}

/** True for a record that somebody refused: the cloud, or this device when its row could not be opened. */
export const isRefused = ({ blocked, quarantine }: HeldRecord): boolean => blocked !== null || quarantine !== null;

/** What a commit touched. */
export interface Touched {
  /** Records, as `recordKey` names them. */
  records: readonly string[];
  logs: readonly string[];
}
