import type { ChainedEvent } from "../../src/ports/held-log.ts";
import type { Change, Decision, Need, Store, View } from "../../src/ports/store.ts";
import { type IndexedDbStore, openIndexedDbStore } from "../../src/stores/indexed-db-store.ts";
import { MemoryStore, type StoreData } from "../../src/stores/memory-store.ts";
import type { MachineStore, MachineStoreOptions, OpenMachineStore } from "./machine-store.ts";
import { readIndexedDb } from "./read-indexed-db.ts";

/** A browser executes nothing: a command for it is refused. */
const REFUSED = JSON.stringify({ state: "refused", boot: "" });

/**
 * A machine whose database is a browser's. The client reads and writes IndexedDB alone. Beside it the same changes go
 * into memory, where the oracle looks, and whenever a process ends both are held against each other.
 */
export class IndexedDbMachines {
  readonly #factory: IDBFactory;
  readonly #name: string;
  readonly #wrap: (store: Store) => Store;
  readonly #open = new Set<IndexedDbMachineStore>();
  #count = 0;

  /** `wrap` puts a faulty store in the place of each, to show that it is found. */
  constructor(factory: IDBFactory, name: string, wrap: (store: Store) => Store = (store) => store) {
    this.#factory = factory;
    this.#name = name;
    this.#wrap = wrap;
  }

  readonly open: OpenMachineStore = (o) => {
    this.#count += 1;
    const store = new IndexedDbMachineStore(o, {
      factory: this.#factory,
      name: `${this.#name}-${this.#count}`,
      wrap: this.#wrap,
    });
    this.#open.add(store);
    return store;
  };

  /** Holds every database against what should be in it, and removes it. */
  async end(): Promise<void> {
    for (const store of this.#open) await store.end();
  }
}

interface Place {
  factory: IDBFactory;
  name: string;
  wrap: (store: Store) => Store;
}

class IndexedDbMachineStore implements MachineStore {
  readonly data: StoreData;
  readonly #around: MachineStoreOptions["around"];
  readonly #at: Place;
  readonly #mirror: MemoryStore;
  #db: Promise<IndexedDbStore>;

  constructor({ data, around }: MachineStoreOptions, at: Place) {
    this.data = data;
    this.#around = around;
    this.#at = at;
    this.#mirror = new MemoryStore(data, () => REFUSED);
    this.#db = this.#fill(structuredClone(data));
  }

  async read(need: Need): Promise<View> {
    return this.#at.wrap(await this.#db).read(need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    const db = this.#at.wrap(await this.#db);
    let made: Decision<T> | null = null;
    const result = await db.apply(need, (view) => (made = decide(view)));
    this.#around(() => void (made && this.#mirror.applySync({}, () => made as Decision<T>)));
    return result;
  }

  leave(): void {
    this.#db = this.#db.then(async (db) => {
      db.close();
      await this.#compare();
      return this.#openDb(() => REFUSED);
    });
  }

  async end(): Promise<void> {
    (await this.#db).close();
    await this.#compare();
    this.#at.factory.deleteDatabase(this.#at.name);
  }

  #openDb(accept: (id: string) => string | null): Promise<IndexedDbStore> {
    const { deviceId } = this.data.state;
    const { factory, name } = this.#at;
    return openIndexedDbStore({ factory, name, deviceId, accept: ({ id }) => accept(id) });
  }

  async #compare(): Promise<void> {
    const [held, wanted] = [await readIndexedDb(this.#at.factory, this.#at.name), this.data].map(textOf);
    if (held !== wanted) throw new Error(`IndexedDB holds ${held} instead of ${wanted}`);
  }

  /** A copy of a machine begins with what the other one held. */
  async #fill(data: StoreData): Promise<IndexedDbStore> {
    const db = await this.#openDb((id) => data.applied.get(id) ?? REFUSED);
    await db.apply({}, () => ({ changes: changesFor(data), result: undefined }));
    db.close();
    return this.#openDb(() => REFUSED);
  }
}

function changesFor(data: StoreData): Change[] {
  const orphans = data.orphans.flatMap(({ streamId, id, line }): Change[] => [
    { op: "append", streamId, events: [{ seq: 1, id, line, mac: "" } satisfies ChainedEvent] },
    { op: "cut", streamId, after: 0, to: "orphans" },
  ]);
  const taken = [...data.applied.keys()].flatMap((id): Change[] => {
    const command = [...data.records.values()].find((record) => record.id === id);
    return command ? [{ op: "accept", command }] : [];
  });
  return [
    { op: "state", state: data.state },
    ...orphans,
    ...[...data.records.values()].map((record): Change => ({ op: "record", record })),
    ...[...data.logs.values()].map((log): Change => ({ op: "log", log })),
    ...[...data.events].map(([streamId, events]): Change => ({ op: "append", streamId, events })),
    ...[...data.waiting].map(([streamId, events]): Change => ({ op: "wait", streamId, events })),
    ...taken,
  ];
}

/** The same text for the same content, whatever its order; empty lists are none. */
function textOf(data: StoreData): string {
  const sorted = (entries: Iterable<readonly [string, unknown]>): unknown[] =>
    [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, ordered(value)]);
  const lists = <T>(map: ReadonlyMap<string, T[]>): [string, T[]][] => [...map].filter(([, list]) => list.length > 0);
  return JSON.stringify([
    ordered(data.state),
    sorted(data.records),
    sorted(data.logs),
    sorted(lists(data.events)),
    sorted(lists(data.waiting)),
    sorted(data.orphans.map((orphan, i) => [`${orphan.streamId}:${String(i).padStart(9, "0")}`, orphan.id])).map(
      (pair) => (pair as [string, unknown])[1],
    ),
    sorted(data.applied),
  ]);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, ordered(field)]));
}
