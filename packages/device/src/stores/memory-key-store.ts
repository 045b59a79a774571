import { type DeviceKeys, makeDeviceKeys } from "@codehands/vault";
import type { DeviceSecrets, KeyStore } from "../ports/key-store.ts";

/** Keys that are forgotten with the process; it pairs anew each time. */
export class MemoryKeyStore implements KeyStore {
  readonly keepsRootBytes = true;
  #secrets: DeviceSecrets | null = null;

  make(): Promise<DeviceKeys> {
    return makeDeviceKeys({ extractable: true });
  }

  async load(): Promise<DeviceSecrets | null> {
    return this.#secrets && { ...this.#secrets, roots: [...this.#secrets.roots] };
  }

  async save(secrets: DeviceSecrets): Promise<void> {
    this.#secrets = { ...secrets, roots: [...secrets.roots] };
  }

  async clear(): Promise<void> {
    this.#secrets = null;
  }
}
