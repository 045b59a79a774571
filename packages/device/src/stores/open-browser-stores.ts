import type { DeviceOptions } from "../ports/device-options.ts";
import { IndexedDbAccountStore } from "./indexed-db-account-store.ts";
import { IndexedDbDeviceStore } from "./indexed-db-device-store.ts";
import { IndexedDbKeyStore } from "./indexed-db-key-store.ts";

/** What of a device's options is kept in a browser. */
export interface BrowserStores extends Pick<DeviceOptions, "store" | "account" | "keys" | "deviceId"> {
  close(): void;
}

/**
 * The stores of a page: its database, its account and its keys, in IndexedDB below `name`, shared by all tabs. Signing
 * out empties them. Throws where the browser keeps no databases.
 */
export async function openBrowserStores({
  name = "codehands",
  factory = indexedDB,
}: {
  name?: string;
  factory?: IDBFactory;
} = {}): Promise<BrowserStores> {
  let store: IndexedDbDeviceStore | null = null;
  const account = await IndexedDbAccountStore.open({
    factory,
    name: `${name}-account`,
    onClear: async () => store?.wipe(),
  });
  const deviceId = await account.deviceId(crypto.randomUUID());
  store = await IndexedDbDeviceStore.open({ factory, name, deviceId });
  const keys = await IndexedDbKeyStore.open({ factory, name: `${name}-keys` });
  const all = [store, account, keys];
  return {
    store,
    account,
    keys,
    deviceId,
    close: () => {
      for (const each of all) each.close();
    },
  };
}
