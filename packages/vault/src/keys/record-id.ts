import { u16 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { utf8 } from "../bytes/text.ts";
import { uuidText } from "../bytes/uuid.ts";
import { hmac } from "../primitives/hash.ts";
import { fail } from "../vault-error.ts";
import type { Keyring } from "./keyring.ts";

/**
 * The id of a record whose table has a key of words: equal on every device, and nothing the cloud can guess. Throws
 * BAD_FORMAT for a part that holds a zero byte, and KEY_MISSING without the root of epoch 1.
 */
export async function derivedRecordId(keys: Keyring, kind: number, parts: readonly string[]): Promise<string> {
  if (parts.some((part) => part.includes("\0"))) fail("BAD_FORMAT", "a zero byte in a record's key");
  const mac = await hmac(await keys.id(), joinBytes(label("record-id"), u16(kind), utf8(parts.join("\0"))));
  return uuidText(mac.slice(0, 16));
}
