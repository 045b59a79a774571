import { u16, u32 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { type Label, label } from "../bytes/label.ts";
import { uuidBytes } from "../bytes/uuid.ts";
import { plain, subtle, type WebKey } from "../primitives/web-crypto.ts";
import { fail } from "../vault-error.ts";
import { checkRoot } from "./root-key.ts";

/** Two for each log that is open, and a few for each device. */
const MOST_DERIVED = 4_096;

interface Purpose {
  epoch: number;
  info: Label;
  /** Ids, and numbers of two bytes. */
  fields: readonly (string | number)[];
  use: "AES-GCM" | "HMAC";
}

const bytesOf = (field: string | number): Uint8Array => (typeof field === "number" ? u16(field) : uuidBytes(field));

/** The parts of a roster that a keyring needs: the vault's id, and what each epoch's root has to match. */
export interface RosterRoots {
  readonly vault: Uint8Array;
  readonly commits: ReadonlyMap<number, Uint8Array>;
}

/** The root keys a device holds, and the keys made of them, each derived once (V11). None of them can be read out. */
export class Keyring {
  readonly #vault: Uint8Array;
  readonly #roots = new Map<number, WebKey>();
  readonly #derived = new Map<string, Promise<WebKey>>();

  constructor(vault: Uint8Array) {
    this.#vault = vault;
  }

  /** Takes a root that the roster commits to; throws BAD_ROOT for any other (V10). Returns the key to keep in its stead. */
  async add(roster: RosterRoots, { epoch, root }: { epoch: number; root: Uint8Array }): Promise<WebKey> {
    await checkRoot({ epoch, root }, roster.commits);
    const key = await subtle.importKey("raw", plain(root), "HKDF", false, ["deriveKey"]);
    this.restore(epoch, key);
    return key;
  }

  /** Takes a root that `add` checked in an earlier process, as it was kept. */
  restore(epoch: number, key: WebKey): void {
    this.#roots.set(epoch, key);
    this.#derived.clear();
  }

  has(epoch: number): boolean {
    return this.#roots.has(epoch);
  }

  /** Forgets every key: the account was signed out (V36). */
  forget(): void {
    this.#roots.clear();
    this.#derived.clear();
  }

  /** Seals and opens the segments of one log. */
  segment(epoch: number, stream: string): Promise<WebKey> {
    return this.#derive({ epoch, info: "key/segment", fields: [stream], use: "AES-GCM" });
  }

  /** Chains the events of one log. */
  chain(epoch: number, stream: string): Promise<WebKey> {
    return this.#derive({ epoch, info: "key/chain", fields: [stream], use: "HMAC" });
  }

  /** Seals and opens one device's records of one kind. */
  record(epoch: number, { kind, writer }: { kind: number; writer: string }): Promise<WebKey> {
    return this.#derive({ epoch, info: "key/record", fields: [kind, writer], use: "AES-GCM" });
  }

  /** Makes the nonces of one device. */
  nonce(epoch: number, writer: string): Promise<WebKey> {
    return this.#derive({ epoch, info: "key/nonce", fields: [writer], use: "HMAC" });
  }

  /** Makes ids that all devices agree on and the cloud cannot guess; of epoch 1 for ever. */
  id(): Promise<WebKey> {
    return this.#derive({ epoch: 1, info: "key/id", fields: [], use: "HMAC" });
  }

  async #derive({ epoch, info, fields, use }: Purpose): Promise<WebKey> {
    const root = this.#roots.get(epoch) ?? fail("KEY_MISSING", `epoch ${epoch}`);
    const name = `${info} ${epoch} ${fields.map(String).join(" ")}`;
    const held = this.#derived.get(name);
    if (held !== undefined) return held;
    const bytes = joinBytes(label(info), u32(epoch), ...fields.map(bytesOf));
    const from = { name: "HKDF", hash: "SHA-256", salt: plain(this.#vault), info: plain(bytes) };
    const key =
      use === "AES-GCM"
        ? subtle.deriveKey(from, root, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
        : subtle.deriveKey(from, root, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
    if (this.#derived.size >= MOST_DERIVED) this.#derived.clear();
    this.#derived.set(name, key);
    return key;
  }
}
