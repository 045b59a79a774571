import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { type KeyPair, keyPairFromSeed, makeKeyPair, seedOf } from "../primitives/key-pair.ts";

/** A device's own keys: never given to another device (V5). */
export interface DeviceKeys {
  sign: KeyPair;
  agree: KeyPair;
}

/** Device keys as a native program writes them to its key file: base64url of 32 bytes each. */
export interface StoredDeviceKeys {
  v: 1;
  sign: string;
  agree: string;
}

/** Fresh keys. Native programs make extractable ones and write them to a file; browsers never do. */
export async function makeDeviceKeys(options: { extractable: boolean }): Promise<DeviceKeys> {
  return {
    sign: await makeKeyPair("Ed25519", options.extractable),
    agree: await makeKeyPair("X25519", options.extractable),
  };
}

/** What a key file holds. Throws BAD_KEY for keys that were made to stay where they are. */
export async function exportDeviceKeys(keys: DeviceKeys): Promise<StoredDeviceKeys> {
  return { v: 1, sign: toBase64url(await seedOf(keys.sign)), agree: toBase64url(await seedOf(keys.agree)) };
}

/** The keys of a key file, no longer extractable. Throws BAD_KEY or BAD_FORMAT. */
export async function importDeviceKeys(stored: StoredDeviceKeys): Promise<DeviceKeys> {
  return {
    sign: await keyPairFromSeed("Ed25519", fromBase64url(stored.sign)),
    agree: await keyPairFromSeed("X25519", fromBase64url(stored.agree)),
  };
}
