import { RECORD_KINDS, type RecordRow } from "@codehands/contracts";
import type { HeldRecord } from "../ports/held-record.ts";

/** A row of the cloud with what came of opening it. */
export interface OpenedRow {
  row: RecordRow;
  opened: { ok: true; body: string } | { ok: false; code: string };
}

/**
 * Table T4: what is held after a record met the cloud's row (null: the cloud has none). `lineage`: the cloud was put
 * back, so that what it holds may be older. Null: nothing is held.
 */
export function mergeRecord(held: HeldRecord | null, met: OpenedRow | null, lineage: boolean): HeldRecord | null {
  if (!held) return met ? take(null, met) : null;
  const row = met?.row ?? null;
  if (met && row?.mac === held.mac) return take(held, met);
  const kept = { ...held, base: row, quarantine: null };
  const rev = row?.rev ?? 0;
  if (held.dirty === "edit" && held.rev > rev) return kept;
  // S28: an outcome that is answered by another one gives way; T5 decides again.
  if (held.dirty === "edit" && held.kind !== RECORD_KINDS.outcome) return { ...kept, rev: rev + 1, mac: "", item: "" };
  if ((held.dirty === "salvage" || lineage) && held.rev > rev) return { ...kept, dirty: "salvage" };
  return met ? take(held, met) : null;
}

/** V16: what cannot be opened is known as a row and replaces nothing. */
function take(held: HeldRecord | null, { row, opened }: OpenedRow): HeldRecord {
  const { kind, id, rev, deleted, writer, mac, body: item } = row;
  const clean = { base: row, dirty: "" as const, blocked: null };
  if (opened.ok) return { kind, id, rev, deleted, writer, mac, item, body: opened.body, ...clean, quarantine: null };
  // Bytes that we sealed ourselves need no opening.
  if (held?.mac === mac) return { ...held, ...clean, quarantine: null };
  const content = held ?? { kind, id, rev, deleted, writer, mac: "", item: "", body: null };
  return { ...content, ...clean, quarantine: opened.code };
}
