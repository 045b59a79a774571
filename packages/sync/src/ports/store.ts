import type { ChainedEvent, HeldLog, WaitingEvent } from "./held-log.ts";
import type { HeldRecord, RecordKey } from "./held-record.ts";
import type { SyncState } from "./sync-state.ts";

/** What a decision wants to see. */
export interface Need {
  records?: readonly RecordKey[];
  /** Records to be sent, at most this many of each sort (edit, salvage). */
  dirty?: number;
  /** Records of which the cloud's row is not known. */
  unbased?: true;
  logs?: readonly string[];
  /** Every log for which `isSettled` is false. */
  unsettled?: true;
  /** Events from … to of one log, and all that wait there. */
  events?: { streamId: string; from: number; to: number };
  /** The commands for this device that may need an answer. */
  commands?: true;
}

/** A log with its own chain value at the cloud's last seq; null when it is shorter. */
export interface LogView extends HeldLog {
  atRow: string | null;
}

/** A command for this device, with its outcome and the mark that it was taken on. */
export interface CommandView {
  command: HeldRecord;
  outcome: HeldRecord | null;
  /** The outcome as the executing part knows it: null while it works; absent when it was never taken on. */
  applied?: string | null;
}

/** One consistent look at the store. */
export interface View {
  state: SyncState;
  records: ReadonlyMap<string, HeldRecord>;
  logs: ReadonlyMap<string, LogView>;
  events: readonly ChainedEvent[];
  waiting: readonly WaitingEvent[];
  commands: readonly CommandView[];
}

/** One write of a transaction; they are carried out in order. */
export type Change =
  | { op: "state"; state: SyncState }
  | { op: "record"; record: HeldRecord }
  | { op: "forget-record"; key: RecordKey }
  | { op: "log"; log: HeldLog }
  | { op: "append"; streamId: string; events: readonly ChainedEvent[] }
  /** Events after `after` leave the log: to the front of the waiting ones, to the orphans, or for good. */
  | { op: "cut"; streamId: string; after: number; to: "waiting" | "orphans" | "nowhere" }
  | { op: "wait"; streamId: string; events: readonly WaitingEvent[] }
  | { op: "unwait"; streamId: string; ids: readonly string[] | "all" }
  /** S10: no base and no row is known any more; what was pushed by `writer` is to be pushed again. */
  | { op: "forget-rows"; writer: string }
  /** S29: a command is taken on, in this transaction. */
  | { op: "accept"; command: HeldRecord }
  /** S16: a tail became a session of its own, so that what belongs to it locally can follow. */
  | { op: "forked"; from: string; at: number; streamId: string };

export interface Decision<T> {
  changes: readonly Change[];
  result: T;
}

/**
 * A device's database. `apply` loads, decides and writes in ONE transaction: `decide` is pure and synchronous, and may
 * be called again when the transaction has to be repeated. When `apply` rejects, nothing was written.
 */
export interface Store {
  read(need: Need): Promise<View>;
  apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T>;
}
