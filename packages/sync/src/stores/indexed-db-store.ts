import { RECORD_KINDS } from "@codehands/contracts";
import { withoutRow } from "../feed/draft.ts";
import { CHAIN_START, type ChainedEvent, type HeldLog, isSettled, type WaitingEvent } from "../ports/held-log.ts";
import { type HeldRecord, recordKey } from "../ports/held-record.ts";
import type { Change, Decision, LogView, Need, Store, View } from "../ports/store.ts";
import { newSyncState, type SyncState } from "../ports/sync-state.ts";
import { SyncError } from "../sync-error.ts";
import type { AcceptCommand } from "./memory-store.ts";
import { answerOf, endOf, openDatabase, STORES } from "./open-indexed-db.ts";
import { pairCommands } from "./pair-commands.ts";

export interface IndexedDbOptions {
  factory: IDBFactory;
  name: string;
  /** The id of a database that is made now. */
  deviceId: string;
  accept?: AcceptCommand;
}

interface WaitingRow extends WaitingEvent {
  streamId: string;
  n: number;
}

/** Opens the store of a browser. Each `apply` is one durable transaction of the database, over all tabs. */
export async function openIndexedDbStore(o: IndexedDbOptions): Promise<IndexedDbStore> {
  return new IndexedDbStore(await openDatabase(o.factory, o.name), o);
}

export class IndexedDbStore implements Store {
  readonly #db: IDBDatabase;
  readonly #deviceId: string;
  readonly #accept: AcceptCommand;

  constructor(db: IDBDatabase, { deviceId, accept = () => null }: IndexedDbOptions) {
    this.#db = db;
    this.#deviceId = deviceId;
    this.#accept = accept;
  }

  close(): void {
    this.#db.close();
  }

  async read(need: Need): Promise<View> {
    return this.#load(this.#db.transaction(STORES, "readonly"), need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    const tx = this.#db.transaction(STORES, "readwrite", { durability: "strict" });
    const ended = endOf(tx);
    try {
      const { changes, result } = decide(await this.#load(tx, need));
      for (const change of changes) await this.#write(tx, change);
      await ended;
      return result;
    } catch (error) {
      // The end of an aborted transaction says nothing new.
      ended.catch(() => undefined);
      if (tx.error === null) abort(tx);
      throw error;
    }
  }

  async #load(tx: IDBTransaction, need: Need): Promise<View> {
    const all = <T>(store: string, query?: IDBValidKey | IDBKeyRange): Promise<T[]> =>
      answerOf(tx.objectStore(store).getAll(query) as IDBRequest<T[]>);
    const records = new Map<string, HeldRecord>();
    const add = (row: StoredRecord): void => void records.set(recordKey(row), recordOf(row));
    const table = tx.objectStore("records");
    for (const { kind, id } of need.records ?? []) {
      const found = await answerOf(table.get([kind, id]) as IDBRequest<StoredRecord | undefined>);
      if (found) add(found);
    }
    const indexed = (index: string, key: IDBValidKey, count?: number): Promise<StoredRecord[]> =>
      answerOf(table.index(index).getAll(key, count) as IDBRequest<StoredRecord[]>);
    if (need.unbased) (await indexed("unbased", 1)).forEach(add);
    if (need.dirty !== undefined)
      for (const sort of ["edit", "salvage"])
        (await indexed("dirty", sort, Math.min(need.dirty, 2 ** 31))).forEach(add);
    const found = new Map<string, HeldLog>();
    const logs = tx.objectStore("logs");
    for (const streamId of need.logs ?? []) {
      const log = await answerOf(logs.get(streamId) as IDBRequest<StoredLog | undefined>);
      if (log) found.set(streamId, logOf(log));
    }
    if (need.unsettled)
      for (const log of await answerOf(logs.index("unsettled").getAll(1) as IDBRequest<StoredLog[]>))
        found.set(log.streamId, logOf(log));
    const views = new Map<string, LogView>();
    for (const log of found.values()) views.set(log.streamId, { ...log, atRow: await this.#atRow(tx, log) });
    const { streamId, from, to } = need.events ?? { streamId: null, from: 1, to: 0 };
    const range = streamId !== null && to >= from ? IDBKeyRange.bound([streamId, from], [streamId, to]) : null;
    const events = range ? await all<StoredEvent>("events", range) : [];
    const waiting = streamId === null ? [] : await all<WaitingRow>("waiting", rangeOf(streamId));
    const state =
      (await answerOf(tx.objectStore("state").get(1) as IDBRequest<SyncState | undefined>)) ??
      newSyncState(this.#deviceId);
    return {
      state,
      records,
      logs: views,
      events: events.map(({ seq, id, mac, line }) => ({ seq, id, mac, line })),
      waiting: waiting.map(({ id, line }) => ({ id, line })),
      commands: need.commands ? await this.#commands(tx, state.deviceId) : [],
    };
  }

  async #commands(tx: IDBTransaction, deviceId: string): Promise<View["commands"]> {
    const kinds = [RECORD_KINDS.command, RECORD_KINDS.outcome];
    const table = tx.objectStore("records");
    const lists = await Promise.all(
      kinds.map((kind) =>
        answerOf(table.getAll(IDBKeyRange.bound([kind, ""], [kind, []])) as IDBRequest<StoredRecord[]>),
      ),
    );
    const applied = (await answerOf(tx.objectStore("applied").getAll())) as { id: string; outcome: string | null }[];
    const marks = new Map(applied.map(({ id, outcome }) => [id, outcome]));
    return pairCommands({ deviceId, records: lists.flat().map(recordOf), applied: marks });
  }

  async #atRow(tx: IDBTransaction, { row, streamId }: HeldLog): Promise<string | null> {
    if (!row) return null;
    if (row.lastSeq === 0) return CHAIN_START;
    const key = [streamId, row.lastSeq];
    const event = await answerOf(tx.objectStore("events").get(key) as IDBRequest<StoredEvent | undefined>);
    return event?.mac ?? null;
  }

  async #write(tx: IDBTransaction, change: Change): Promise<void> {
    const put = (store: string, value: unknown, key?: IDBValidKey): void => void tx.objectStore(store).put(value, key);
    switch (change.op) {
      case "state":
        return put("state", change.state, 1);
      case "record":
        return put("records", { ...change.record, unbased: change.record.base ? 0 : 1 });
      case "forget-record":
        return void tx.objectStore("records").delete([change.key.kind, change.key.id]);
      case "log":
        return put("logs", storedLog(change.log));
      case "append":
        for (const event of change.events) put("events", { ...event, streamId: change.streamId });
        return;
      case "cut":
        return this.#cut(tx, change);
      case "wait": {
        const rows = await this.#waiting(tx, change.streamId);
        const next = (rows.at(-1)?.n ?? 0) + 1;
        for (const [i, event] of change.events.entries())
          put("waiting", { streamId: change.streamId, n: next + i, id: event.id, line: event.line });
        return;
      }
      case "unwait":
        for (const row of await this.#waiting(tx, change.streamId))
          if (change.ids === "all" || change.ids.includes(row.id))
            tx.objectStore("waiting").delete([row.streamId, row.n]);
        return;
      case "forget-rows":
        for (const record of await answerOf(tx.objectStore("records").getAll() as IDBRequest<StoredRecord[]>))
          put("records", { ...record, base: null, unbased: 1 });
        for (const log of await answerOf(tx.objectStore("logs").getAll() as IDBRequest<StoredLog[]>))
          put("logs", storedLog(withoutRow(logOf(log), change.writer)));
        return;
      case "accept":
        return put("applied", { id: change.command.id, outcome: this.#accept(change.command) });
      case "forked":
        return;
    }
  }

  async #cut(tx: IDBTransaction, { streamId, after, to }: Extract<Change, { op: "cut" }>): Promise<void> {
    const range = IDBKeyRange.bound([streamId, after + 1], [streamId, []]);
    const tail = await answerOf(tx.objectStore("events").getAll(range) as IDBRequest<StoredEvent[]>);
    tx.objectStore("events").delete(range);
    if (to === "orphans") for (const { id, line } of tail) tx.objectStore("orphans").put({ streamId, id, line });
    if (to !== "waiting") return;
    // They go before what waits already, so their places count down.
    const first = (await this.#waiting(tx, streamId))[0]?.n ?? 1;
    for (const [i, { id, line }] of tail.entries())
      tx.objectStore("waiting").put({ streamId, n: first - tail.length + i, id, line });
  }

  #waiting(tx: IDBTransaction, streamId: string): Promise<WaitingRow[]> {
    return answerOf(tx.objectStore("waiting").getAll(rangeOf(streamId)) as IDBRequest<WaitingRow[]>);
  }
}

type StoredRecord = HeldRecord & { unbased: 0 | 1 };
type StoredLog = HeldLog & { unsettled: 0 | 1 };
type StoredEvent = ChainedEvent & { streamId: string };

/** All keys that begin with this stream: an array sorts after every number and text. */
const rangeOf = (streamId: string): IDBKeyRange =>
  IDBKeyRange.bound([streamId, Number.NEGATIVE_INFINITY], [streamId, []]);
const storedLog = (log: HeldLog): StoredLog => ({ ...log, unsettled: isSettled(log) ? 0 : 1 });

function logOf(stored: StoredLog): HeldLog {
  const { unsettled: _, ...log } = stored;
  return log;
}
function recordOf(stored: StoredRecord): HeldRecord {
  const { unbased: _, ...record } = stored;
  return record;
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch (error) {
    if (!(error instanceof DOMException)) throw new SyncError("broken_store", "The database failed.", { cause: error });
  }
}
