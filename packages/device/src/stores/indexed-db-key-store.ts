import {
  type AgreeStorage,
  type DeviceKeys,
  type KeyPlace,
  loadBrowserKeys,
  makeBrowserKeys,
  testKeyPlace,
  toBase64url,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceSecrets, KeptRoot, KeyStore } from "../ports/key-store.ts";
import { answerOf, openTables, writeTables } from "./indexed-db.ts";

const TABLE = "keys";
const KEEPS_NONE =
  "This browser keeps no keys: it is a private window, or a mode that forbids it. Nothing was paired. Open the page in a normal window, or use another browser.";

/** Keys that were made and not kept yet: what is written once they are. */
interface Staged {
  how: AgreeStorage;
  values: ReadonlyMap<string, unknown>;
}

/** The keys of a browser, in a database where nothing else lies. No script can read one of them out (V5). */
export class IndexedDbKeyStore implements KeyStore {
  readonly keepsRootBytes = false;
  readonly #db: IDBDatabase;
  readonly #staged = new Map<string, Staged>();

  static async open(o: { factory: IDBFactory; name: string }): Promise<IndexedDbKeyStore> {
    return new IndexedDbKeyStore(await openTables(o.factory, o.name, [TABLE]));
  }

  private constructor(db: IDBDatabase) {
    this.#db = db;
  }

  async make(): Promise<DeviceKeys> {
    const how = await testKeyPlace(this.#place());
    await this.#forgetTest();
    if (how === null) throw new DeviceError("no_keys", KEEPS_NONE);
    const values = new Map<string, unknown>();
    const keys = await makeBrowserKeys(
      { put: async (name, value) => void values.set(name, value), get: async (name) => values.get(name) },
      how,
    );
    this.#staged.set(nameOf(keys), { how, values });
    return keys;
  }

  async load(): Promise<DeviceSecrets | null> {
    const place = this.#place();
    const how = await place.get("how");
    if (how !== "key" && how !== "wrapped") return null;
    const keys = await loadBrowserKeys(place, how);
    const roots = (await place.get("roots")) as KeptRoot[] | undefined;
    return keys && { keys, roots: roots ?? [] };
  }

  async save({ keys, roots }: DeviceSecrets): Promise<void> {
    const staged = this.#staged.get(nameOf(keys));
    const held = staged ? null : await this.load();
    if (!staged && (held === null || nameOf(held.keys) !== nameOf(keys)))
      throw new DeviceError("no_keys", "These keys were not made by this browser, so it cannot keep them.");
    const kept = await Promise.all(roots.map(unreadable));
    await writeTables(this.#db, [TABLE], async (tx) => {
      const table = tx.objectStore(TABLE);
      for (const [name, value] of staged?.values ?? []) table.put(value, name);
      if (staged) table.put(staged.how, "how");
      table.put(kept, "roots");
    });
    this.#staged.clear();
  }

  async clear(): Promise<void> {
    this.#staged.clear();
    await writeTables(this.#db, [TABLE], async (tx) => void tx.objectStore(TABLE).clear());
  }

  close(): void {
    this.#db.close();
  }

  #place(): KeyPlace {
    return {
      put: (name, value) => writeTables(this.#db, [TABLE], async (tx) => void tx.objectStore(TABLE).put(value, name)),
      get: (name) => answerOf<unknown>(this.#db.transaction(TABLE, "readonly").objectStore(TABLE).get(name)),
    };
  }

  async #forgetTest(): Promise<void> {
    const names = IDBKeyRange.bound("self-test-", "self-test-\uffff");
    await writeTables(this.#db, [TABLE], async (tx) => void tx.objectStore(TABLE).delete(names));
  }
}

const nameOf = (keys: DeviceKeys): string => toBase64url(keys.sign.publicKey);

/** A root as a key that derives and cannot be read. */
async function unreadable(root: KeptRoot): Promise<KeptRoot> {
  if ("key" in root) return root;
  const bytes = new Uint8Array(root.root);
  return { epoch: root.epoch, key: await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]) };
}
