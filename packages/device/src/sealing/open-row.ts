import type { RecordRow } from "@codehands/contracts";
import { type HeldRecord, recordKey, type View } from "@codehands/sync";
import {
  acceptRecord,
  fromBase64url,
  type OpenedRecord,
  type Outcome,
  openRecord,
  type ReadAccess,
  type RecordMemory,
  toBase64url,
} from "@codehands/vault";
import type { FactsCache } from "./record-memory.ts";

/** What a row meets here. */
export interface RowMeeting {
  access: ReadAccess;
  facts: FactsCache;
  /** The record that is held, and where the sync stands. */
  view: View;
}

/**
 * Opens a row of the cloud, and checks its place against what is held (V15, V22). Columns that do not say what the signed
 * header says are WRONG_PLACE. While a restored cloud is read again, what is older is no lie: the sync keeps the newer.
 */
export async function openRow(row: RecordRow, { access, facts, view }: RowMeeting): Promise<Outcome<OpenedRecord>> {
  const opened = await openRecord(access, fromBase64url(row.body), { kind: row.kind, id: row.id });
  if (!opened.ok) return opened;
  const { header, hash } = opened.value;
  const says =
    header.writer === row.writer &&
    header.rev === row.rev &&
    header.epoch === row.keyId &&
    header.deleted === row.deleted &&
    toBase64url(hash.slice(0, 16)) === row.mac;
  if (!says) return { ok: false, code: "WRONG_PLACE", reason: `columns of kind ${row.kind} contradict its seal` };
  facts.note(row.mac, { header, hash });
  const held = await memoryOf(view.records.get(recordKey(row)), facts);
  const accepted = acceptRecord(held, { kind: header.kind, writer: header.writer, rev: header.rev, n: header.n, hash });
  if (accepted.ok || (accepted.code === "ROLLBACK" && view.state.reset?.reason === "lineage")) return opened;
  return accepted;
}

async function memoryOf(record: HeldRecord | undefined, facts: FactsCache): Promise<RecordMemory | null> {
  const held = record ? await facts.ofHeld(record) : null;
  if (!held) return null;
  const { writer, rev, n } = held.header;
  return { writer, rev, n, hash: held.hash };
}
