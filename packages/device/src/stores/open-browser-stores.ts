import type { DeviceOptions } from "../ports/device-options.ts";
import { IndexedDbAccountStore } from "./indexed-db-account-store.ts";
import { IndexedDbDeviceStore } from "./indexed-db-device-store.ts";
import { IndexedDbKeyStore } from "./indexed-db-key-store.ts";

/** What of a device's options is kept in a browser. */
export interface BrowserStores extends Pick<DeviceOptions, "store" | "account" | "keys" | "deviceId"> {
  close(): void;
}

export interface BrowserStoresOptions {
  name?: string;
  factory?: IDBFactory;
  /** Another tab signed out: these stores are empty and closed. The page is to be opened anew. */
  onSignedOutElsewhere?: () => void;
}

/**
 * The stores of a page: its database, its account and its keys, in IndexedDB below `name`, shared by all tabs. Signing
 * out empties them, and ends the others' use of them. Throws where the browser keeps no databases.
 */
export async function openBrowserStores({
  name = "codehands",
  factory = indexedDB,
  onSignedOutElsewhere = () => {},
}: BrowserStoresOptions = {}): Promise<BrowserStores> {
  const tabs = new BroadcastChannel(`codehands ${name} account`);
  let store: IndexedDbDeviceStore | null = null;
  const onClear = async (): Promise<void> => {
    // First the others: what they still fetch must not come back after it was emptied.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes none
    tabs.postMessage("signed out");
    await store?.wipe();
  };
  const account = await IndexedDbAccountStore.open({ factory, name: `${name}-account`, onClear });
  const deviceId = await account.deviceId(crypto.randomUUID());
  store = await IndexedDbDeviceStore.open({ factory, name, deviceId });
  const keys = await IndexedDbKeyStore.open({ factory, name: `${name}-keys` });
  const all = [store, account, keys, tabs];
  const close = (): void => {
    for (const each of all) each.close();
  };
  tabs.addEventListener("message", () => {
    close();
    onSignedOutElsewhere();
  });
  return { store, account, keys, deviceId, close };
}
