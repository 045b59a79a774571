import type { PushBatch } from "@codehands/api/cloud";
import { RECORD_KINDS } from "@codehands/contracts";
import { isSharedKind, judgeRecordPush } from "@codehands/sync/answers";
import { itemMac } from "./item-mac.ts";
import { parseRecordHeader } from "./sealed-header.ts";

export interface PlannedRecord {
  kind: number;
  id: string;
  base: number;
  rev: number;
  keyEpoch: number;
  deleted: boolean;
  writer: string;
  /** Every device of the account may write it. */
  shared: boolean;
  mac: Buffer;
  body: Buffer;
}

type Refused = "FORBIDDEN" | "TOO_LARGE" | "UNKNOWN_KIND";

const KINDS: ReadonlySet<number> = new Set(Object.values(RECORD_KINDS));

/** 256 KiB of body (V17), with header, padding of at most 12 %, tag and signature. */
const MAX_BYTES = 296 * 1024;

/** Reads one record of a push, or says why it cannot be stored whatever the database holds (S22, S26). */
export function planRecord(given: {
  device: string;
  asked: PushBatch["records"][number];
  again: boolean;
}): { ok: true; record: PlannedRecord } | { ok: false; code: Refused } {
  const { device, asked, again } = given;
  const body = Buffer.from(asked.body, "base64url");
  if (!KINDS.has(asked.kind)) return { ok: false, code: "UNKNOWN_KIND" };
  if (body.length > MAX_BYTES) return { ok: false, code: "TOO_LARGE" };
  const header = parseRecordHeader(body);
  const id = asked.id.toLowerCase();
  if (header === null || header.kind !== asked.kind || header.id !== id) return { ok: false, code: "UNKNOWN_KIND" };
  // T1b as far as the item itself says it; what the cloud holds is compared under the account's lock.
  const { kind, base } = asked;
  if (judgeRecordPush(null, { kind, base, writer: header.writer, sender: device, again }) === "FORBIDDEN")
    return { ok: false, code: "FORBIDDEN" };
  if (kind === RECORD_KINDS.device && id !== device) return { ok: false, code: "FORBIDDEN" };
  const { rev, keyEpoch, deleted, writer } = header;
  return {
    ok: true,
    record: {
      kind,
      id,
      base,
      rev,
      keyEpoch,
      deleted,
      writer,
      shared: isSharedKind(kind),
      mac: itemMac(body),
      body,
    },
  };
}
