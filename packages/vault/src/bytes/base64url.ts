import { fail } from "../vault-error.ts";

/** Node's own, several times as fast for the megabyte of a push; a browser has none. */
interface NativeBytes {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64url"): string };
  from(text: string, encoding: "base64url"): Uint8Array;
}
const native = (globalThis as { Buffer?: NativeBytes }).Buffer;

/** Base64url without padding. */
export function toBase64url(bytes: Uint8Array): string {
  if (native) return native.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a base64url text. Throws BAD_FORMAT for any other spelling of the same bytes. */
export function fromBase64url(text: string): Uint8Array {
  const bytes = native ? new Uint8Array(native.from(text, "base64url")) : decode(text);
  if (toBase64url(bytes) !== text) fail("BAD_FORMAT", "base64url");
  return bytes;
}

function decode(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) fail("BAD_FORMAT", "base64url");
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
