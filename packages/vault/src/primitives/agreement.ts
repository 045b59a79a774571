import { fail } from "../vault-error.ts";
import { type KeyPair, makeKeyPair } from "./key-pair.ts";
import { plain, subtle, type WebKey } from "./web-crypto.ts";

/** X25519. Throws BAD_KEY for a key that gives a result of zeros, and for anything but 32 bytes (V3). */
export async function agree(privateKey: WebKey, publicKey: Uint8Array): Promise<Uint8Array> {
  if (publicKey.length !== 32) fail("BAD_KEY", "agreement key");
  const shared = await derive(privateKey, publicKey);
  if (shared === null || shared.every((byte) => byte === 0)) fail("BAD_KEY", "agreement key");
  return shared;
}

/** Null where the platform itself refuses the key. */
async function derive(privateKey: WebKey, publicKey: Uint8Array): Promise<Uint8Array | null> {
  try {
    const key = await subtle.importKey("raw", plain(publicKey), { name: "X25519" }, true, []);
    return new Uint8Array(await subtle.deriveBits({ name: "X25519", public: key }, privateKey, 256));
  } catch {
    return null;
  }
}

let probe: Promise<KeyPair> | null = null;

/** Throws BAD_KEY for a public key with which no secret can be agreed on: asked before it enters a roster (V3). */
export async function checkAgreementKey(publicKey: Uint8Array): Promise<void> {
  probe ??= makeKeyPair("X25519", false);
  await agree((await probe).privateKey, publicKey);
}
