import { toHex } from "../bytes/text.ts";
import { fail } from "../vault-error.ts";
import { plain, subtle, type WebKey } from "./web-crypto.ts";

const zeros = (count: number): string => "00".repeat(count);
const ones = (count: number): string => "ff".repeat(count);

/** Keys under which anybody can sign anything; WebCrypto takes them (V3, appendix). */
export const SMALL_ORDER_KEYS: ReadonlySet<string> = new Set([
  `01${zeros(31)}`,
  `ec${ones(30)}7f`,
  zeros(32),
  `${zeros(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  `ed${ones(30)}7f`,
  `ed${ones(31)}`,
  `ee${ones(30)}7f`,
  `ee${ones(31)}`,
  `01${zeros(30)}80`,
  `ec${ones(31)}`,
]);

/** Throws BAD_KEY for a signing key of the wrong length or of small order. */
export function checkSigningKey(publicKey: Uint8Array): void {
  if (publicKey.length !== 32 || SMALL_ORDER_KEYS.has(toHex(publicKey))) fail("BAD_KEY", "signing key");
}

const MOST_KEYS = 1_024;
const imported = new Map<string, Promise<WebKey>>();

function verifyingKey(publicKey: Uint8Array): Promise<WebKey> {
  const name = toHex(publicKey);
  const held = imported.get(name);
  if (held !== undefined) return held;
  if (imported.size >= MOST_KEYS) imported.clear();
  const key = subtle.importKey("raw", plain(publicKey), { name: "Ed25519" }, true, ["verify"]);
  imported.set(name, key);
  return key;
}

/** An Ed25519 signature, 64 bytes. A platform may randomise it: never compared, never hashed (V4). */
export async function sign(privateKey: WebKey, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle.sign({ name: "Ed25519" }, privateKey, plain(message)));
}

/** True when the signature holds. Throws BAD_KEY for a key that proves nothing (V3). */
export async function verify(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  checkSigningKey(publicKey);
  if (signature.length !== 64) return false;
  try {
    return await subtle.verify({ name: "Ed25519" }, await verifyingKey(publicKey), plain(signature), plain(message));
  } catch {
    // Some platforms refuse bytes that are no point of the curve when they import them, some when they verify.
    return false;
  }
}
