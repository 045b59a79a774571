import { actAs } from "./account/act-as.ts";
import { DeviceError } from "./device-error.ts";
import { SyncLoop } from "./loop/sync-loop.ts";
import type { StoredAccount } from "./ports/account-store.ts";
import type { DeviceOptions } from "./ports/device-options.ts";
import type { DeviceSecrets } from "./ports/key-store.ts";
import { Membership } from "./roster/membership.ts";

/** A person who logged in on a device that holds no keys: kept in memory only. */
export interface LockedAccount {
  cloudUrl: string;
  email: string;
  devices: number;
  sessions: number;
}

/** What this device is at the moment; one for each process. */
export class DeviceHome {
  readonly options: DeviceOptions;
  locked: LockedAccount | null = null;
  #member: Membership | null = null;
  #loop: SyncLoop | null = null;
  /** There is an account, and it cannot be used: what a person is told. */
  #broken: { account: StoredAccount; reason: string } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: DeviceOptions) {
    this.options = options;
  }

  get member(): Membership | null {
    return this.#member;
  }
  get loop(): SyncLoop | null {
    return this.#loop;
  }
  get broken(): { account: StoredAccount; reason: string } | null {
    return this.#broken;
  }

  /** What changes the account happens one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** Loads the account that an earlier process left, and begins to sync. */
  async load(): Promise<void> {
    const account = await this.options.account.load();
    if (!account || this.#member) return;
    try {
      const secrets = await this.options.keys.load();
      if (!secrets) {
        const reason = "The keys of this device are gone. Sign out here and pair it again; its own work is kept.";
        this.#broken = { account, reason };
        return;
      }
      const member = await Membership.of(this.options, account, secrets);
      await member.follow();
      // A process that joined may have ended before this.
      await actAs(this.options.store, member.id);
      this.#begin(member);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      this.#broken = { account, reason: error.message };
    }
  }

  /** This device has become a member: that is stored, keys first, and sync begins. */
  async enter(account: StoredAccount, secrets: DeviceSecrets): Promise<Membership> {
    await this.options.keys.save(secrets);
    await this.options.account.save(account);
    await actAs(this.options.store, account.deviceId);
    const member = await Membership.of(this.options, account, secrets);
    this.locked = null;
    this.#broken = null;
    this.#begin(member);
    return member;
  }

  /** This member goes on as another one: its sync ends, and begins anew under the new id and keys (S3). */
  async move(account: StoredAccount, secrets: DeviceSecrets): Promise<void> {
    await this.#loop?.close();
    this.#loop = null;
    await this.enter(account, secrets);
  }

  /** Ends the sync and forgets everything but this device's own work, which goes on under `nextId` where one is given. */
  async leave(nextId: string | null): Promise<void> {
    const loop = this.#loop;
    this.#loop = null;
    this.#member?.forget();
    this.#member = null;
    this.#broken = null;
    this.locked = null;
    await loop?.close();
    const { store, keys, account } = this.options;
    // First of all, whatever becomes of the rest: who signs out wants the keys gone.
    await keys.clear();
    // As long as it is known what the account has heard of: only what it has not goes along.
    if (nextId !== null) await actAs(store, nextId);
    await account.clear();
    if (nextId !== null) await actAs(store, nextId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#loop?.close();
  }

  #begin(member: Membership): void {
    this.#member = member;
    this.#loop = new SyncLoop(this.options, member);
    if (!this.#closed) this.#loop.start();
  }
}
