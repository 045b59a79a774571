import { toBase64url } from "../bytes/base64url.ts";
import { utf8 } from "../bytes/text.ts";
import { bytes, listOf, mapOf, object, objectWith, parseJson, text, uuid, whole } from "../parsing/strict-json.ts";
import type { RecordMark } from "../roster/statement.ts";

/** A root key and its epoch. */
export interface EpochRoot {
  epoch: number;
  root: Uint8Array;
}

/** What an envelope holds. */
export interface EnvelopePayload {
  keys: EpochRoot[];
  /** In pairing: the newest device record of each device that the sender holds. The newcomer inherits it (V25). */
  seen?: Record<string, RecordMark>;
  /** In pairing: what the account is called, and the device that let the newcomer in. */
  account?: { label: string; letInBy?: string };
}

const mark = object({ n: whole(1), hash: bytes(32) });
const shape = objectWith(
  { keys: listOf(object({ epoch: whole(1, 0xffff_ffff), root: bytes(32) }), 10_000) },
  { seen: mapOf(uuid, mark), account: objectWith({ label: text(200) }, { letInBy: text(64) }) },
);

/** The JSON that is sealed. */
export function writePayload({ keys, seen, account }: EnvelopePayload): Uint8Array {
  const roots = keys.map(({ epoch, root }) => ({ epoch, root: toBase64url(root) }));
  return utf8(JSON.stringify({ keys: roots, ...(seen && { seen }), ...(account && { account }) }));
}

/** Reads what was sealed. Throws BAD_FORMAT. */
export function readPayload(json: Uint8Array): EnvelopePayload {
  const { keys, seen, account } = shape(parseJson(json));
  const marks = Object.entries(seen ?? {}).map(([id, { n, hash }]) => [id, { n, hash: toBase64url(hash) }]);
  return {
    keys,
    ...(seen && { seen: Object.fromEntries(marks) as Record<string, RecordMark> }),
    ...(account && { account: { ...account } }),
  };
}
