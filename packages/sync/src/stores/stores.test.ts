import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterAll, beforeAll } from "vitest";
import { openIndexedDbStore } from "./indexed-db-store.ts";
import { MemoryStore, newStoreData } from "./memory-store.ts";
import { SqliteStore } from "./sqlite-store.test-kit.ts";
import { storeContract } from "./store-contract.test-kit.ts";
import { ME } from "./store-rows.test-kit.ts";

let folder = "";
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sync-store-"));
  // A browser has it as a global.
  Object.assign(globalThis, { IDBKeyRange });
});
afterAll(async () => rm(folder, { recursive: true }));

storeContract("memory", {
  durable: false,
  open: async ({ accept }) => ({ store: new MemoryStore(newStoreData(ME), accept), close: () => undefined }),
});

storeContract("SQLite", {
  durable: true,
  open: async ({ again, accept }) => {
    if (!again) made += 1;
    const store = new SqliteStore(join(folder, `${made}.db`), ME, accept);
    return { store, close: () => store.close() };
  },
});

const factory = new IDBFactory();
storeContract("IndexedDB", {
  durable: true,
  open: async ({ again, accept }) => {
    if (!again) made += 1;
    const store = await openIndexedDbStore({ factory, name: `db-${made}`, deviceId: ME, accept });
    return { store, close: () => store.close() };
  },
});
