import { DeviceError } from "../device-error.ts";
import type { AccountStore, StoredAccount } from "../ports/account-store.ts";
import { answerOf, openTables, writeTables } from "./indexed-db.ts";

const TABLE = "account";
const ACCOUNT = "account";
const DEVICE = "deviceId";

/** The account of a browser, in a database of its own; each call is one transaction over all tabs. */
export class IndexedDbAccountStore implements AccountStore {
  readonly #db: IDBDatabase;
  readonly #onClear: () => Promise<void>;

  /** Opens it, or makes it. `onClear` forgets what came from other devices, in the store beside it. */
  static async open(o: {
    factory: IDBFactory;
    name: string;
    onClear: () => Promise<void>;
  }): Promise<IndexedDbAccountStore> {
    return new IndexedDbAccountStore(await openTables(o.factory, o.name, [TABLE]), o.onClear);
  }

  private constructor(db: IDBDatabase, onClear: () => Promise<void>) {
    this.#db = db;
    this.#onClear = onClear;
  }

  /** The id of this browser as a device: `made` when it had none. */
  deviceId(made: string): Promise<string> {
    return writeTables(this.#db, [TABLE], async (tx) => {
      const table = tx.objectStore(TABLE);
      const known: unknown = await answerOf(table.get(DEVICE));
      if (typeof known === "string") return known;
      table.put(made, DEVICE);
      return made;
    });
  }

  async load(): Promise<StoredAccount | null> {
    const table = this.#db.transaction(TABLE, "readonly").objectStore(TABLE);
    return (await answerOf<StoredAccount | undefined>(table.get(ACCOUNT))) ?? null;
  }

  save(account: StoredAccount): Promise<void> {
    return this.#write((table) => void table.put(account, ACCOUNT));
  }

  change(fields: Partial<StoredAccount>): Promise<void> {
    return this.#changeHeld((account) => ({ account: { ...account, ...fields }, result: undefined }));
  }

  takeN(count: number): Promise<number> {
    return this.#changeHeld((account) => ({
      account: { ...account, lastN: account.lastN + count },
      result: account.lastN + 1,
    }));
  }

  async clear(): Promise<void> {
    await this.#write((table) => void table.delete(ACCOUNT));
    await this.#onClear();
  }

  close(): void {
    this.#db.close();
  }

  #write(write: (table: IDBObjectStore) => void): Promise<void> {
    return writeTables(this.#db, [TABLE], async (tx) => write(tx.objectStore(TABLE)));
  }

  #changeHeld<T>(change: (account: StoredAccount) => { account: StoredAccount; result: T }): Promise<T> {
    return writeTables(this.#db, [TABLE], async (tx) => {
      const table = tx.objectStore(TABLE);
      const held = await answerOf<StoredAccount | undefined>(table.get(ACCOUNT));
      if (!held) throw new DeviceError("no_account", "There is no account on this device.");
      const { account, result } = change(held);
      table.put(account, ACCOUNT);
      return result;
    });
  }
}
