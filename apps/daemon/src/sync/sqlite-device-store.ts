import type { DeviceStore, EventRange, Touched } from "@codehands/client";
import { type ChainedEvent, type Change, type Decision, type Need, recordKey } from "@codehands/client/store";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { type LoadDeps, loadView, readEvents } from "./load-view.ts";
import { readLog } from "./log-rows.ts";
import { listRecords, listRefused } from "./record-rows.ts";
import { writeChange } from "./write-change.ts";

export interface SqliteDeviceStore extends DeviceStore {
  /** `apply` inside a transaction of the caller's, who calls `announce` once it is committed. */
  applyIn<T>(tx: Tx, need: Need, decide: (view: ReturnType<typeof loadView>) => Decision<T>): Applied<T>;
}

export interface Applied<T> {
  result: T;
  announce: () => void;
}

export interface DeviceStoreOptions extends LoadDeps {
  store: OpenDatabase;
  /** Told after the commit of own sessions whose events were numbered anew. */
  onRenumbered: (sessionId: string) => void;
  onFault: (error: unknown) => void;
}

/** The device's database for the sync: own sessions stay in their own tables, all else lies in the sync's (0041). */
export function createDeviceStore(options: DeviceStoreOptions): SqliteDeviceStore {
  const { store } = options;
  const listeners = new Set<(touched: Touched) => void>();

  const announce = (changes: readonly Change[], renumbered: ReadonlySet<string>): void => {
    options.commands.afterCommit();
    for (const sessionId of renumbered) options.onRenumbered(sessionId);
    const touched = touchedBy(changes);
    if (touched.records.length + touched.logs.length === 0) return;
    for (const listener of [...listeners]) {
      try {
        listener(touched);
      } catch (error) {
        options.onFault(error);
      }
    }
  };

  const applyIn: SqliteDeviceStore["applyIn"] = (tx, need, decide) => {
    const { changes, result } = decide(loadView(options, need));
    const renumbered = new Set<string>();
    for (const change of changes) {
      const sessionId = writeChange(tx, options, change);
      if (sessionId !== null) renumbered.add(sessionId);
    }
    return { result, announce: () => announce(changes, renumbered) };
  };

  // One consistent look: without a transaction the loop could see half of what a commit in between wrote.
  const look = <T>(work: () => T): T => store.sqlite.transaction(work).deferred();

  return {
    applyIn,
    read: async (need) => look(() => loadView(options, need)),
    async apply(need, decide) {
      const applied = inTransaction(store, (tx) => ({ done: applyIn(tx, need, decide) }));
      applied.done.announce();
      return applied.done.result;
    },
    recordsOf: async (kind) => listRecords(store, kind),
    allRecords: async () => listRecords(store),
    refusedRecords: async () => listRefused(store),
    logOf: async (streamId) => readLog(store, streamId),
    eventsOf: async (range) => look(() => eventsIn(store, range)),
    onCommit(listener) {
      const entry = (touched: Touched): void => listener(touched);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

function eventsIn(store: OpenDatabase, range: EventRange): ChainedEvent[] {
  const { streamId, limit } = range;
  const last = readLog(store, streamId)?.lastSeq ?? 0;
  const from = "after" in range ? range.after + 1 : Math.max(1, last - limit + 1);
  return readEvents(store, { streamId, from, to: Math.min(last, from + limit - 1) });
}

function touchedBy(changes: readonly Change[]): Touched {
  const records = new Set<string>();
  const logs = new Set<string>();
  for (const change of changes) {
    if (change.op === "record") records.add(recordKey(change.record));
    else if (change.op === "forget-record") records.add(recordKey(change.key));
    else if (change.op === "log") logs.add(change.log.streamId);
    else if ("streamId" in change) logs.add(change.streamId);
  }
  return { records: [...records], logs: [...logs] };
}
