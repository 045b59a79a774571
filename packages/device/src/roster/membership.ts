import {
  activeDevice,
  type EpochRoot,
  foldRoster,
  fromBase64url,
  type Keyring,
  type Role,
  type Roster,
  type Statement,
  toBase64url,
  type WriteAccess,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import { keepRoots, restoreKeyring, rootBytes } from "../keys/kept-roots.ts";
import type { StoredAccount } from "../ports/account-store.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import type { DeviceSecrets } from "../ports/key-store.ts";

/** What a look at the cloud's roster brought. */
export interface Extension {
  roster: Roster;
  added: readonly Statement[];
  roots: readonly EpochRoot[];
}

/** This device as a member of a vault: roster and keys, in memory as they are stored. */
export class Membership {
  readonly #options: DeviceOptions;
  #account: StoredAccount;
  #roster: Roster;
  #ring: Keyring;
  #secrets: DeviceSecrets;

  private constructor(
    options: DeviceOptions,
    held: { account: StoredAccount; roster: Roster; ring: Keyring; secrets: DeviceSecrets },
  ) {
    this.#options = options;
    this.#account = held.account;
    this.#roster = held.roster;
    this.#ring = held.ring;
    this.#secrets = held.secrets;
  }

  /** Verifies what is stored. Throws `broken_store` for a roster that does not verify. */
  static async of(options: DeviceOptions, account: StoredAccount, secrets: DeviceSecrets): Promise<Membership> {
    const folded = await foldRoster(account.statements);
    if (!folded.ok || toBase64url(folded.value.vault) !== account.vault)
      throw new DeviceError(
        "broken_store",
        "The list of devices that is stored here does not verify. Sign out here and pair this device again.",
      );
    const roster = folded.value;
    return new Membership(options, { account, roster, ring: await restoreKeyring(roster, secrets.roots), secrets });
  }

  get account(): Readonly<StoredAccount> {
    return this.#account;
  }
  get roster(): Roster {
    return this.#roster;
  }
  get ring(): Keyring {
    return this.#ring;
  }
  get keys(): DeviceSecrets["keys"] {
    return this.#secrets.keys;
  }
  get id(): string {
    return this.#account.deviceId;
  }
  /** What this device may do now; nothing once it was removed. */
  get roles(): readonly Role[] {
    return activeDevice(this.#roster, this.id)?.roles ?? [];
  }
  /** Roots of all epochs as bytes; null where this device cannot hand them on. */
  get roots(): EpochRoot[] | null {
    return rootBytes(this.#secrets.roots, this.#roster.epoch);
  }

  /** The keys that are held decide which device this is: a process that became another one may have ended on the way. */
  async follow(): Promise<void> {
    const own = toBase64url(this.keys.sign.publicKey);
    const named = [...this.#roster.devices.values()].find(({ sign }) => toBase64url(sign) === own);
    if (named && named.id !== this.id) await this.change({ deviceId: named.id, lastN: 0 });
  }

  /** What sealing and opening need, as of now. */
  access(): WriteAccess {
    const { ports, compress } = this.#options;
    return {
      roster: this.#roster,
      keys: this.#ring,
      device: this.id,
      signKey: this.#secrets.keys.sign.privateKey,
      ...(ports && { ports }),
      ...(compress === undefined ? {} : { compress }),
    };
  }

  /** Changes what is remembered, durably first. */
  async change(fields: Partial<StoredAccount>): Promise<void> {
    await this.#options.account.change(fields);
    this.#account = { ...this.#account, ...fields };
  }

  /**
   * Takes on a roster that was verified to extend this one (V9), with the statements that do so and the roots that came
   * with them: a newer key is in use from the moment in which it is here. Throws BAD_ROOT for a root that the roster does
   * not commit to.
   */
  async takeOn({ roster, added, roots: fresh }: Extension): Promise<void> {
    if (added.length > 0) {
      const statements = [...this.#account.statements, ...(added as StoredAccount["statements"])];
      await this.change({ statements });
    }
    if (fresh.length > 0) {
      const { keys } = this.#options;
      const into = { roster, ring: this.#ring, asBytes: keys.keepsRootBytes };
      const roots = await keepRoots(into, this.#secrets.roots, fresh);
      await keys.save({ keys: this.#secrets.keys, roots });
      this.#secrets = { keys: this.#secrets.keys, roots };
    }
    this.#roster = roster;
  }

  /** Numbers for records of this device, never given twice (V22). */
  takeN(count: number): Promise<number> {
    return this.#options.account.takeN(count);
  }

  /** Keys leave memory (V36). */
  forget(): void {
    this.#ring.forget();
  }
}

/** The 16 bytes of the vault that an account is in. */
export const vaultOf = (account: Pick<StoredAccount, "vault">): Uint8Array => fromBase64url(account.vault);
