import { joinBytes } from "../bytes/join-bytes.ts";
import { plain, subtle, type WebKey } from "./web-crypto.ts";

/** SHA-256 over all parts joined. */
export async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest("SHA-256", plain(joinBytes(...parts))));
}

/** HMAC-SHA256 under a key of WebCrypto. */
export async function hmac(key: WebKey, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await subtle.sign("HMAC", key, plain(joinBytes(...parts))));
}

/** HMAC-SHA256 under bytes. WebCrypto takes no empty key; HMAC pads with zeros, so a block of zeros is the same. */
export async function hmacRaw(secret: Uint8Array, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const raw = secret.length === 0 ? new Uint8Array(32) : secret;
  return hmac(await subtle.importKey("raw", plain(raw), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]), ...parts);
}

/** HKDF-SHA256 with 32 bytes out (RFC 5869). */
export async function hkdf(secret: Uint8Array, salt: Uint8Array, info: Uint8Array): Promise<Uint8Array> {
  const key = await subtle.importKey("raw", plain(secret), "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: plain(salt), info: plain(info) };
  return new Uint8Array(await subtle.deriveBits(algorithm, key, 256));
}
