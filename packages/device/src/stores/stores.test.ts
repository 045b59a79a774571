import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { beforeAll, expect, test, vi } from "vitest";
import { OtherDevice, sessionId } from "../replica/other-device.test-kit.ts";
import { CONTRACT_DEVICE, deviceStoreContract } from "./device-store-contract.test-kit.ts";
import { IndexedDbDeviceStore } from "./indexed-db-device-store.ts";
import { MemoryDeviceStore } from "./memory-device-store.ts";

// A browser has it as a global.
beforeAll(() => void Object.assign(globalThis, { IDBKeyRange }));

deviceStoreContract("memory", {
  durable: false,
  open: async ({ accept }) => ({
    store: new MemoryDeviceStore(CONTRACT_DEVICE, { accept }),
    close: () => undefined,
  }),
});

const factory = new IDBFactory();
let made = 0;
deviceStoreContract("IndexedDB", {
  durable: true,
  open: async ({ again, accept }) => {
    if (!again) made += 1;
    const store = await IndexedDbDeviceStore.open({ factory, name: `db-${made}`, deviceId: CONTRACT_DEVICE, accept });
    return { store, close: () => store.close() };
  },
});

test("a tab hears of the commits of the other tabs, and of its own once", async () => {
  const open = () => IndexedDbDeviceStore.open({ factory, name: "tabs", deviceId: CONTRACT_DEVICE });
  const [here, there] = [await open(), await open()];
  const heard: string[] = [];
  here.onCommit(({ records }) => void heard.push(`here ${records.length}`));
  const other = new Promise<void>((resolve) => {
    there.onCommit(({ records }) => {
      heard.push(`there ${records.length}`);
      resolve();
    });
  });
  await new OtherDevice(here).session(1);
  await other;
  expect(heard.sort()).toEqual(["here 1", "there 1"]);
  expect(await there.recordsOf(3)).toHaveLength(1);
  // It is held in memory now, and renewed by what is heard.
  await new OtherDevice(here).session(2);
  await vi.waitFor(async () => expect(await there.recordsOf(3)).toHaveLength(2), 20_000);
  await here.wipe();
  await vi.waitFor(async () => expect(await there.recordsOf(3)).toEqual([]), 20_000);
  here.close();
  there.close();
});

test("S10 what a reset forgot of every row is forgotten in what is held in memory too", async () => {
  const store = await IndexedDbDeviceStore.open({ factory, name: "reset", deviceId: CONTRACT_DEVICE });
  await new OtherDevice(store).session(1);
  expect((await store.recordsOf(3))[0]?.base).not.toBeNull();
  await store.apply({}, () => ({ changes: [{ op: "forget-rows", writer: CONTRACT_DEVICE }], result: undefined }));
  expect((await store.recordsOf(3))[0]?.base).toBeNull();
  store.close();
});

test("V36 a store that is wiped is a new one", async () => {
  const memory = new MemoryDeviceStore(CONTRACT_DEVICE);
  const browser = await IndexedDbDeviceStore.open({ factory, name: "wiped", deviceId: CONTRACT_DEVICE });
  for (const store of [memory, browser]) {
    const laptop = new OtherDevice(store);
    await laptop.session(1);
    await laptop.arrives(sessionId(1), ["{}"]);
    const { state } = await store.read({});
    await store.apply({}, () => ({ changes: [{ op: "state", state: { ...state, cursor: 9 } }], result: undefined }));
    await store.wipe();
    expect((await store.read({})).state).toMatchObject({ cursor: 0, deviceId: CONTRACT_DEVICE });
    expect(await store.allRecords()).toEqual([]);
    expect(await store.eventsOf({ streamId: sessionId(1), after: 0, limit: 9 })).toEqual([]);
    expect(await store.logOf(sessionId(1))).toBeNull();
  }
  browser.close();
});
