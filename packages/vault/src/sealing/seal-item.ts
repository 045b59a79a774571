import { readNumber, u32 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import type { Keyring } from "../keys/keyring.ts";
import { hmac } from "../primitives/hash.ts";
import { sign } from "../primitives/signing.ts";
import { randomBytes, type WebKey } from "../primitives/web-crypto.ts";
import { fail } from "../vault-error.ts";
import type { ReadAccess, WriteAccess } from "./access.ts";
import { type Header, writeHeader } from "./header.ts";
import { paddedLength, SEAL_LIMITS } from "./limits.ts";
import { itemMessage, type VerifiedItem, verifyParts } from "./verify-item.ts";
import { webCipher, webCodec } from "./web-ports.ts";

export interface SealedItem {
  /** Stored before the first send, and sent again byte for byte (V17). */
  bytes: Uint8Array;
  hash: Uint8Array;
}

export interface OpenedItem extends VerifiedItem {
  body: Uint8Array;
}

const keyOf = (keys: Keyring, header: Header): Promise<WebKey> =>
  header.type === "segment" ? keys.segment(header.epoch, header.stream) : keys.record(header.epoch, header);

/** Seals a body of events or JSON as it stands (V14 from step 2); `header.codec` says how it was compressed. */
export async function sealItem(access: WriteAccess, header: Header, body: Uint8Array): Promise<SealedItem> {
  const { keys, roster, signKey, random = randomBytes } = access;
  const most = header.type === "segment" ? SEAL_LIMITS.segmentBody : SEAL_LIMITS.recordBody;
  if (body.length > most) fail("TOO_LARGE", header.type);
  const padded = new Uint8Array(paddedLength(4 + body.length));
  padded.set(u32(body.length));
  padded.set(body, 4);
  const head = writeHeader(header);
  const aad = joinBytes(label(header.type), roster.vault, head);
  // Random bytes that come twice (a cloned machine) then repeat a nonce only for the same content.
  const nonce = (await hmac(await keys.nonce(header.epoch, header.writer), random(32), aad, padded)).slice(0, 12);
  const cipher = access.ports?.cipher ?? webCipher;
  const ct = await cipher.encrypt({ key: await keyOf(keys, header), nonce, aad }, padded);
  const signed = joinBytes(head, nonce, ct);
  const hash = await cipher.sha256(signed);
  return { bytes: joinBytes(signed, await sign(signKey, itemMessage(header.type, roster.vault, hash))), hash };
}

/** Verifies and opens an item up to its inflated body (V15), in the order that V15 gives. Throws. */
export async function openItem(access: ReadAccess, item: Uint8Array): Promise<OpenedItem> {
  const verified = await verifyParts(access, item);
  const { header, parts } = verified;
  const key = await keyOf(access.keys, header);
  const aad = joinBytes(label(header.type), access.roster.vault, parts.head);
  const cipher = access.ports?.cipher ?? webCipher;
  const padded = (await cipher.decrypt({ key, nonce: parts.nonce, aad }, parts.ct)) ?? fail("BAD_SEAL", "item");
  const length = readNumber(padded, 0, 4);
  const isExact = 4 + length <= padded.length && paddedLength(4 + length) === padded.length;
  if (!isExact || padded.subarray(4 + length).some((byte) => byte !== 0)) fail("BAD_FORMAT", "padding");
  const body = padded.slice(4, 4 + length);
  if (header.codec === 0) return { ...verified, body };
  const inflated = await (access.ports?.codec ?? webCodec).inflate(body, SEAL_LIMITS.inflated);
  return inflated.ok ? { ...verified, body: inflated.bytes } : fail(inflated.code, "compressed body");
}
