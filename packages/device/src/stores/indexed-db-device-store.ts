import {
  type AcceptCommand,
  type ChainedEvent,
  type Decision,
  type HeldLog,
  type HeldRecord,
  type IndexedDbStore,
  type Need,
  openIndexedDbStore,
  type View,
} from "@codehands/sync";
import { type DeviceStore, type EventRange, isRefused, type Touched } from "../ports/device-store.ts";
import { CommitListeners } from "./commit-listeners.ts";
import { answerOf, openTables, writeTables } from "./indexed-db.ts";
import { KindCache } from "./kind-cache.ts";
import { touchedBy } from "./touched-by.ts";

export interface BrowserDatabase {
  factory: IDBFactory;
  name: string;
  /** The id of a database that is made now. */
  deviceId: string;
  accept?: AcceptCommand;
}

/** What a commit touched; `whole`: also every row in some way. */
interface Commit extends Touched {
  whole: boolean;
}

/** How the tabs of one page tell each other of their commits. */
interface Tabs {
  postMessage(commit: Commit): void;
  close(): void;
}

type Stored<T> = T & Record<string, unknown>;

/** A browser's database. All tabs share it, and each hears of the commits of the others. */
export class IndexedDbDeviceStore implements DeviceStore {
  readonly #store: IndexedDbStore;
  readonly #db: IDBDatabase;
  readonly #listeners = new CommitListeners();
  readonly #tabs: Tabs;
  readonly #kinds: KindCache;

  /** Opens it, or makes it. Throws where the browser keeps none. */
  static async open(o: BrowserDatabase): Promise<IndexedDbDeviceStore> {
    const store = await openIndexedDbStore(o);
    // The sync has made its tables; these reads go beside its transactions.
    return new IndexedDbDeviceStore(store, await openTables(o.factory, o.name, []), `codehands ${o.name}`);
  }

  private constructor(store: IndexedDbStore, db: IDBDatabase, channelName: string) {
    this.#store = store;
    this.#db = db;
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener("message", ({ data }: MessageEvent<Commit>) => this.#hear(data));
    this.#tabs = channel;
    this.#kinds = new KindCache({
      ofKind: (kind) => this.#records(IDBKeyRange.bound([kind], [kind, []])),
      byKey: async (keys) => [...(await store.read({ records: keys })).records.values()],
    });
  }

  read(need: Need): Promise<View> {
    return this.#store.read(need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    let commit: Commit = { records: [], logs: [], whole: false };
    const result = await this.#store.apply(need, (view) => {
      const decision = decide(view);
      const whole = decision.changes.some(({ op }) => op === "forget-rows");
      commit = { ...touchedBy(decision.changes), whole };
      return decision;
    });
    this.#tell(commit);
    return result;
  }

  recordsOf(kind: number): Promise<HeldRecord[]> {
    return this.#kinds.recordsOf(kind);
  }

  allRecords(): Promise<HeldRecord[]> {
    return this.#records();
  }

  async refusedRecords(): Promise<HeldRecord[]> {
    return (await this.#records()).filter(isRefused);
  }

  async logOf(streamId: string): Promise<HeldLog | null> {
    const stored = await answerOf<Stored<HeldLog> | undefined>(this.#table("logs").get(streamId));
    if (!stored) return null;
    const { unsettled: _, ...log } = stored;
    return log;
  }

  async eventsOf(range: EventRange): Promise<ChainedEvent[]> {
    const { streamId, limit } = range;
    if (limit <= 0) return [];
    const after = "after" in range ? range.after : Math.max(0, (await this.#lastSeq(streamId)) - limit);
    const keys = IDBKeyRange.bound([streamId, after + 1], [streamId, after + limit]);
    const rows = await answerOf<Stored<ChainedEvent>[]>(this.#table("events").getAll(keys));
    return rows.map(({ seq, id, mac, line }) => ({ seq, id, mac, line }));
  }

  onCommit(listener: (touched: Touched) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Forgets everything: the account was signed out, and a browser makes nothing of its own. */
  async wipe(): Promise<void> {
    const tables = [...this.#db.objectStoreNames];
    await writeTables(this.#db, tables, async (tx) => {
      for (const table of tables) tx.objectStore(table).clear();
    });
    this.#tell({ records: [], logs: [], whole: true });
  }

  close(): void {
    this.#tabs.close();
    this.#store.close();
    this.#db.close();
  }

  #tell(commit: Commit): void {
    this.#hear(commit);
    if (commit.records.length + commit.logs.length === 0 && !commit.whole) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes none
    this.#tabs.postMessage(commit);
  }

  #hear({ records, logs, whole }: Commit): void {
    if (whole) this.#kinds.forget();
    this.#kinds.touch(records);
    this.#listeners.tell({ records, logs });
  }

  async #records(range?: IDBKeyRange): Promise<HeldRecord[]> {
    const rows = await answerOf<Stored<HeldRecord>[]>(this.#table("records").getAll(range));
    return rows.map(recordOf);
  }

  async #lastSeq(streamId: string): Promise<number> {
    const all = IDBKeyRange.bound([streamId, 0], [streamId, []]);
    const cursor = await answerOf(this.#table("events").openKeyCursor(all, "prev"));
    const key = cursor?.key;
    return Array.isArray(key) && typeof key[1] === "number" ? key[1] : 0;
  }

  #table(name: string): IDBObjectStore {
    return this.#db.transaction(name, "readonly").objectStore(name);
  }
}

/** A row without what the sync's index added to it. */
function recordOf(row: Stored<HeldRecord>): HeldRecord {
  const { unbased: _, ...record } = row;
  return record;
}
