import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOG_KINDS } from "@codehands/contracts";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { expect, test } from "vitest";
import { idOf } from "../../test/model/wire-names.ts";
import type { Store } from "../ports/store.ts";
import { openIndexedDbStore } from "../stores/indexed-db-store.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { SqliteStore } from "../stores/sqlite-store.test-kit.ts";
import { appendTo, CloudInMemory, drain, eventsIn } from "./cloud-in-memory.test-kit.ts";

test("P4 devices over three kinds of store agree, also after the cloud was put back", async () => {
  Object.assign(globalThis, { IDBKeyRange });
  const folder = await mkdtemp(join(tmpdir(), "sync-three-"));
  const sqlite = new SqliteStore(join(folder, "state.db"), idOf("B"));
  const browser = await openIndexedDbStore({ factory: new IDBFactory(), name: "db", deviceId: idOf("C") });
  try {
    const stores: Record<string, Store> = { A: new MemoryStore(newStoreData(idOf("A"))), B: sqlite, C: browser };
    const cloud = new CloudInMemory();
    const clients = Object.entries(stores).map(([dev, store]) => cloud.client({ dev, store }));
    const drainAll = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) for (const client of clients) await drain(client);
    };
    for (const [dev, store] of Object.entries(stores)) await appendTo(store, `S-${dev}`, [`${dev}1`, `${dev}2`]);
    await drainAll();
    for (const client of clients)
      for (const writer of Object.keys(stores))
        await client.follow({ streamId: idOf(`S-${writer}`), kind: LOG_KINDS.session, writer: idOf(writer) });
    await drainAll();
    const backup = structuredClone(cloud.cloud);
    for (const [dev, store] of Object.entries(stores)) await appendTo(store, `S-${dev}`, [`${dev}3`]);
    await drainAll();
    Object.assign(cloud.cloud, backup, { epoch: "E2" });
    await drainAll();
    for (const [dev, own] of Object.entries(stores))
      for (const store of Object.values(stores)) {
        const held = await eventsIn(store, `S-${dev}`);
        expect(held).toEqual([`${dev}1`, `${dev}2`, `${dev}3`]);
        expect((await store.read({})).state.sum).toBe((await own.read({})).state.sum);
      }
  } finally {
    sqlite.close();
    browser.close();
    await rm(folder, { recursive: true });
  }
});
