import { fail } from "../vault-error.ts";
import { fromHex, toHex } from "./text.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for an id in the one spelling that signed texts use: lower case, with its four hyphens. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The 16 bytes of an id. Throws BAD_FORMAT for any other spelling. */
export function uuidBytes(text: string): Uint8Array {
  if (!isUuid(text)) fail("BAD_FORMAT", "id");
  return fromHex(text.replaceAll("-", ""));
}

/** The id of 16 bytes. */
export function uuidText(bytes: Uint8Array): string {
  if (bytes.length !== 16) fail("BAD_FORMAT", "id");
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
