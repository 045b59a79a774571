import type { ChainedEvent, HeldLog, WaitingEvent } from "../../src/ports/held-log.ts";
import { type HeldRecord, recordKey } from "../../src/ports/held-record.ts";
import type { SyncState } from "../../src/ports/sync-state.ts";
import type { StoreData } from "../../src/stores/memory-store.ts";
import { answerOf, openDatabase, STORES } from "../../src/stores/open-indexed-db.ts";

type Rows = Record<string, unknown[]>;

/** Everything that a browser's database holds, read past the store. */
export async function readIndexedDb(factory: IDBFactory, name: string): Promise<StoreData> {
  const db = await openDatabase(factory, name);
  const tx = db.transaction(STORES, "readonly");
  const rows: Rows = {};
  for (const store of STORES) rows[store] = await answerOf(tx.objectStore(store).getAll());
  db.close();
  const all = <T>(store: string): T[] => (rows[store] ?? []) as T[];
  const records = all<HeldRecord>("records").map((record) => without(record, "unbased"));
  const logs = all<HeldLog>("logs").map((log) => without(log, "unsettled"));
  const [state] = all<SyncState>("state");
  if (!state) throw new Error(`${name} has no state.`);
  return {
    state,
    records: new Map(records.map((record) => [recordKey(record), record])),
    logs: new Map(logs.map((log) => [log.streamId, log])),
    events: byStream(all<ChainedEvent & { streamId: string }>("events")),
    waiting: byStream(all<WaitingEvent & { streamId: string; n: number }>("waiting"), ({ id, line }) => ({ id, line })),
    orphans: all<StoreData["orphans"][number]>("orphans").map(({ streamId, id, line }) => ({ streamId, id, line })),
    applied: new Map(all<{ id: string; outcome: string | null }>("applied").map(({ id, outcome }) => [id, outcome])),
  };
}

/** A row as the port knows it: the store's own mark for its index goes. */
const without = <T extends object>(row: T, mark: string): T =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== mark)) as T;

function byStream<R extends { streamId: string }, T>(rows: readonly R[], as?: (row: R) => T): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const { streamId, ...rest } = row;
    const list = found.get(streamId) ?? [];
    list.push(as ? as(row) : (rest as unknown as T));
    found.set(streamId, list);
  }
  return found;
}
