import { rm } from "node:fs/promises";
import {
  type DeviceKeys,
  exportDeviceKeys,
  fromBase64url,
  importDeviceKeys,
  makeDeviceKeys,
  type StoredDeviceKeys,
  toBase64url,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceSecrets, KeptRoot, KeyStore } from "../ports/key-store.ts";
import { isObject, textOf } from "../replica/read-json.ts";
import { readStored } from "./read-stored.ts";
import { writeDurably } from "./write-durably.ts";

/** The keys of a program, in a file that this user alone reads (V5). */
export class FileKeyStore implements KeyStore {
  readonly keepsRootBytes = true;
  readonly #path: string;

  /** `path` lies in a folder that this user alone opens. */
  constructor(path: string) {
    this.#path = path;
  }

  make(): Promise<DeviceKeys> {
    return makeDeviceKeys({ extractable: true });
  }

  async load(): Promise<DeviceSecrets | null> {
    const stored = await readStored(this.#path);
    if (stored === null) return null;
    const [sign, agree] = [textOf(stored, "sign"), textOf(stored, "agree")];
    if (stored.v !== 1 || sign === null || agree === null || !Array.isArray(stored.roots)) throw this.#broken();
    try {
      const roots = stored.roots.map((root) => this.#rootOf(root));
      // Later roots are saved beside keys that are written once more.
      const keys = await importDeviceKeys({ v: 1, sign, agree });
      return { keys: remember(keys, { v: 1, sign, agree }), roots };
    } catch (cause) {
      throw this.#broken(cause);
    }
  }

  async save({ keys, roots }: DeviceSecrets): Promise<void> {
    const own = stored.get(keys) ?? (await exportDeviceKeys(keys));
    await writeDurably(this.#path, `${JSON.stringify({ ...own, roots: roots.map(textOfRoot) })}\n`);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  #rootOf(root: unknown): KeptRoot {
    const { epoch, bytes } = isObject(root) ? { epoch: root.epoch, bytes: textOf(root, "root") } : {};
    if (typeof epoch !== "number" || typeof bytes !== "string") throw this.#broken();
    return { epoch, root: fromBase64url(bytes) };
  }

  #broken(cause?: unknown): DeviceError {
    const reason = `${this.#path} is damaged, so this device has no keys. Nothing was changed: put a copy back, or pair anew.`;
    return new DeviceError("no_keys", reason, { cause });
  }
}

/** Keys that were read cannot be read out again: what their file said of them. */
const stored = new WeakMap<DeviceKeys, StoredDeviceKeys>();
function remember(keys: DeviceKeys, text: StoredDeviceKeys): DeviceKeys {
  stored.set(keys, text);
  return keys;
}

function textOfRoot(root: KeptRoot): { epoch: number; root: string } {
  if ("key" in root) throw new DeviceError("no_keys", "A root key that cannot be read was to be kept in a file.");
  return { epoch: root.epoch, root: toBase64url(root.root) };
}
