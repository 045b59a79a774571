import { toBase64url } from "../bytes/base64url.ts";
import { u16, u64 } from "../bytes/big-endian.ts";
import { compareBytes, joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { uuidBytes } from "../bytes/uuid.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { bytes, mapOf, object, plainObject, uuid, whole } from "../parsing/strict-json.ts";
import { sha256 } from "../primitives/hash.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import type { RecordMark } from "../roster/statement.ts";

/** What a device record says about what its device knows (V23). */
export interface DeviceView {
  /** 16 random bytes, base64url: made anew whenever the device finds that its database went back (V25). */
  incarnation: string;
  roster: { seq: number; hash: string };
  /** The newest device record it holds of every other device. */
  seen: Record<string, RecordMark>;
  /** Over its own live records, base64url. */
  digest: string;
}

const mark = object({ n: whole(1), hash: bytes(32) });
const view = object({
  incarnation: bytes(16),
  roster: object({ seq: whole(0), hash: bytes(32) }),
  seen: mapOf(uuid, mark),
  digest: bytes(32),
});

/** Reads these fields of an opened device record's body; what else it holds is not the vault's. */
export function readDeviceView(body: unknown): Promise<Outcome<DeviceView>> {
  return outcomeOf(() => {
    const { incarnation, roster, seen, digest } = plainObject(body);
    const read = view({ incarnation, roster, seen, digest });
    const marks = Object.entries(read.seen).map(([id, { n, hash }]) => [id, { n, hash: toBase64url(hash) }]);
    return {
      incarnation: toBase64url(read.incarnation),
      roster: { seq: read.roster.seq, hash: toBase64url(read.roster.hash) },
      seen: Object.fromEntries(marks) as Record<string, RecordMark>,
      digest: toBase64url(read.digest),
    };
  });
}

/** A record as the digest counts it. */
export interface DigestRow {
  kind: number;
  id: string;
  n: number;
  hash: Uint8Array;
}

/**
 * The digest over a device's live records of single-writer kinds except its device record (V23), base64url. Which rows
 * those are is for the caller to choose; their order does not matter.
 */
export async function recordsDigest(rows: readonly DigestRow[]): Promise<string> {
  const lines = rows.map(({ kind, id, n, hash }) => joinBytes(u16(kind), uuidBytes(id), u64(n), hash));
  return toBase64url(await sha256(label("checkpoint"), ...lines.sort(compareBytes)));
}

/** How other devices name a device record. */
export const markOf = ({ n, hash }: { n: number; hash: Uint8Array }): RecordMark => ({ n, hash: toBase64url(hash) });

/** A new incarnation: commands that were written for the earlier one are refused (V25, V27). */
export const newIncarnation = (random: RandomBytes = randomBytes): string => toBase64url(random(16));
