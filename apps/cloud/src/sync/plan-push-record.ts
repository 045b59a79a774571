import type { PushBatch } from "@codehands/api/cloud";
import { RECORD_KINDS, RECORD_WRITERS, type RecordKind } from "@codehands/contracts";
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

/** 256 KiB of body (V17), with header, padding of at most 12 %, tag and signature. */
const MAX_BYTES = 296 * 1024;

/** Reads one record of a push, or says why it cannot be stored whatever the database holds (S22, S26). */
export function planRecord(given: {
  device: string;
  asked: PushBatch["records"][number];
  again: boolean;
}): { ok: true; record: PlannedRecord } | { ok: false; code: Refused } {
  const { device, asked, again } = given;
  const kindName = nameOf(asked.kind);
  const body = Buffer.from(asked.body, "base64url");
  if (kindName === null) return { ok: false, code: "UNKNOWN_KIND" };
  if (body.length > MAX_BYTES) return { ok: false, code: "TOO_LARGE" };
  const header = parseRecordHeader(body);
  const id = asked.id.toLowerCase();
  if (header === null || header.kind !== asked.kind || header.id !== id) return { ok: false, code: "UNKNOWN_KIND" };
  const writes = RECORD_WRITERS[kindName];
  const shared = writes === "shared";
  // After a restore anyone brings back a shared record as it was sealed, by whomever.
  if (header.writer !== device && !(again && shared)) return { ok: false, code: "FORBIDDEN" };
  if (kindName === "device" && id !== device) return { ok: false, code: "FORBIDDEN" };
  const { rev, keyEpoch, deleted, writer } = header;
  return {
    ok: true,
    record: {
      kind: asked.kind,
      id,
      base: asked.base,
      rev,
      keyEpoch,
      deleted,
      writer,
      shared,
      mac: itemMac(body),
      body,
    },
  };
}

function nameOf(kind: number): RecordKind | null {
  const found = Object.entries(RECORD_KINDS).find(([, number]) => number === kind);
  return found === undefined ? null : (found[0] as RecordKind);
}
