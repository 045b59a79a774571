import { fromBase64url } from "../bytes/base64url.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { fromHex } from "../bytes/text.ts";
import { fail } from "../vault-error.ts";
import { plain, subtle, type WebKey } from "./web-crypto.ts";

export type Curve = "Ed25519" | "X25519";

/** A private key and the 32 bytes that others know it by. */
export interface KeyPair {
  privateKey: WebKey;
  publicKey: Uint8Array;
}

/** What stands before the 32 secret bytes in PKCS#8. */
const PKCS8_HEAD = {
  Ed25519: fromHex("302e020100300506032b657004220420"),
  X25519: fromHex("302e020100300506032b656e04220420"),
};

const USAGES = { Ed25519: ["sign"], X25519: ["deriveBits"] } satisfies Record<Curve, ("sign" | "deriveBits")[]>;

/** A fresh pair (V5). Only an extractable one can be written to a file. */
export async function makeKeyPair(curve: Curve, extractable: boolean): Promise<KeyPair> {
  const usages: ("sign" | "verify" | "deriveBits")[] = curve === "Ed25519" ? ["sign", "verify"] : ["deriveBits"];
  const pair = await subtle.generateKey({ name: curve }, extractable, usages);
  if (!("privateKey" in pair)) fail("BAD_KEY", curve);
  return { privateKey: pair.privateKey, publicKey: new Uint8Array(await subtle.exportKey("raw", pair.publicKey)) };
}

/** The pair of 32 secret bytes. Throws BAD_KEY for any other number of bytes. */
export async function keyPairFromSeed(curve: Curve, seed: Uint8Array, extractable = false): Promise<KeyPair> {
  if (seed.length !== 32) fail("BAD_KEY", curve);
  const der = plain(joinBytes(PKCS8_HEAD[curve], seed));
  const usages = USAGES[curve];
  const privateKey = await subtle.importKey("pkcs8", der, { name: curve }, extractable, usages);
  // Only an extractable key tells its public half.
  const open = extractable ? privateKey : await subtle.importKey("pkcs8", der, { name: curve }, true, usages);
  const { x } = await subtle.exportKey("jwk", open);
  return { privateKey, publicKey: fromBase64url(x ?? fail("BAD_KEY", curve)) };
}

/** The 32 secret bytes of an extractable pair, for a key file. Throws BAD_KEY for one that stays where it is. */
export async function seedOf(pair: KeyPair): Promise<Uint8Array> {
  if (!pair.privateKey.extractable) fail("BAD_KEY", "not extractable");
  const der = new Uint8Array(await subtle.exportKey("pkcs8", pair.privateKey));
  return der.slice(-32);
}
