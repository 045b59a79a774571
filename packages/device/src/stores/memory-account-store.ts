import { DeviceError } from "../device-error.ts";
import type { AccountStore, StoredAccount } from "../ports/account-store.ts";

/** An account that is forgotten with the process. */
export class MemoryAccountStore implements AccountStore {
  #account: StoredAccount | null = null;
  readonly #onClear: () => Promise<void>;

  /** `onClear` forgets what came from other devices, in the store beside it. */
  constructor(onClear: () => Promise<void> = async () => {}) {
    this.#onClear = onClear;
  }

  async load(): Promise<StoredAccount | null> {
    return structuredClone(this.#account);
  }

  async save(account: StoredAccount): Promise<void> {
    this.#account = structuredClone(account);
  }

  async change(fields: Partial<StoredAccount>): Promise<void> {
    this.#account = structuredClone({ ...this.#held(), ...fields });
  }

  async takeN(count: number): Promise<number> {
    const account = this.#held();
    const first = account.lastN + 1;
    this.#account = { ...account, lastN: account.lastN + count };
    return first;
  }

  async clear(): Promise<void> {
    this.#account = null;
    await this.#onClear();
  }

  #held(): StoredAccount {
    if (this.#account === null) throw new DeviceError("no_account", "There is no account on this device.");
    return this.#account;
  }
}
