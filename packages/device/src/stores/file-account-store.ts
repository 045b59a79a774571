import { rm } from "node:fs/promises";
import type { AccountStore, StoredAccount } from "../ports/account-store.ts";
import { MemoryAccountStore } from "./memory-account-store.ts";
import { readStored } from "./read-stored.ts";
import { writeDurably } from "./write-durably.ts";

/** The account of a program, in a file. One process uses it at a time. */
export class FileAccountStore implements AccountStore {
  readonly #path: string;
  readonly #onClear: () => Promise<void>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, onClear: () => Promise<void>) {
    this.#path = path;
    this.#onClear = onClear;
  }

  load(): Promise<StoredAccount | null> {
    return this.#inTurn(() => this.#read());
  }

  save(account: StoredAccount): Promise<void> {
    return this.#inTurn(() => this.#write(account));
  }

  change(fields: Partial<StoredAccount>): Promise<void> {
    return this.#changeHeld((held) => held.change(fields));
  }

  takeN(count: number): Promise<number> {
    return this.#changeHeld((held) => held.takeN(count));
  }

  async clear(): Promise<void> {
    await this.#inTurn(() => rm(this.#path, { force: true }));
    await this.#onClear();
  }

  /** Changes what is stored as the store in memory does, and answers once it is on the disk. */
  #changeHeld<T>(change: (held: AccountStore) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const held = new MemoryAccountStore();
      const account = await this.#read();
      if (account !== null) await held.save(account);
      const result = await change(held);
      const changed = await held.load();
      if (changed !== null) await this.#write(changed);
      return result;
    });
  }

  /** Our own file, written whole: what stands in it was an account. */
  async #read(): Promise<StoredAccount | null> {
    return (await readStored(this.#path)) as StoredAccount | null;
  }

  #write(account: StoredAccount): Promise<void> {
    return writeDurably(this.#path, `${JSON.stringify(account)}\n`);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}
