import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { beforeAll, expect, test } from "vitest";
import { OtherDevice } from "../replica/other-device.test-kit.ts";
import { accountStoreContract, anAccount } from "./account-contract.test-kit.ts";
import { IndexedDbAccountStore } from "./indexed-db-account-store.ts";
import { MemoryAccountStore } from "./memory-account-store.ts";
import { openBrowserStores } from "./open-browser-stores.ts";

// A browser has it as a global.
beforeAll(() => void Object.assign(globalThis, { IDBKeyRange }));

accountStoreContract("memory", {
  durable: false,
  open: async ({ onClear }) => ({ store: new MemoryAccountStore(onClear), close: () => undefined }),
});

const factory = new IDBFactory();
let made = 0;
accountStoreContract("IndexedDB", {
  durable: true,
  open: async ({ again, onClear }) => {
    if (!again) made += 1;
    const store = await IndexedDbAccountStore.open({ factory, name: `account-${made}`, onClear });
    return { store, close: () => store.close() };
  },
});

test("a browser is one device for as long as its database lives, in all its tabs", async () => {
  const [first, second] = await Promise.all([openBrowserStores({ factory }), openBrowserStores({ factory })]);
  expect(second.deviceId).toBe(first.deviceId);
  expect((await first.store.read({})).state.deviceId).toBe(first.deviceId);
  const elsewhere = await openBrowserStores({ factory, name: "another" });
  expect(elsewhere.deviceId).not.toBe(first.deviceId);
  for (const stores of [first, second, elsewhere]) stores.close();
});

test("V36 signing out empties the browser's database", async () => {
  const { store, account, close } = await openBrowserStores({ factory, name: "left" });
  await account.save(anAccount());
  await new OtherDevice(store).session(1);
  await account.clear();
  expect([await account.load(), await store.allRecords()]).toEqual([null, []]);
  close();
});

test("V36 signing out in one tab ends the other tabs' use of what was emptied", async () => {
  let told = (): void => {};
  const signedOut = new Promise<void>((resolve) => {
    told = resolve;
  });
  const here = await openBrowserStores({ factory, name: "two tabs" });
  const there = await openBrowserStores({ factory, name: "two tabs", onSignedOutElsewhere: () => told() });
  await here.account.save(anAccount());
  await here.account.clear();
  await signedOut;
  await expect(new OtherDevice(there.store).session(1)).rejects.toThrow();
  await expect(there.account.load()).rejects.toThrow();
  expect(await here.store.allRecords()).toEqual([]);
  here.close();
});
