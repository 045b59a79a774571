import type { PullPage, RecordRow } from "@codehands/contracts";
import { checkPage } from "../feed/check-page.ts";
import { recordKey } from "../ports/held-record.ts";
import type { Sealing } from "../ports/sealing.ts";
import type { OpenedRow } from "../records/merge-record.ts";

/**
 * Opens record rows before the transaction that applies them. Of two rows of one key the newer counts; `checkPage`
 * refuses a page that cannot be.
 */
export async function openRows(
  sealing: Sealing,
  { page, rows = [] }: { page: PullPage | undefined; rows?: readonly (RecordRow | null)[] },
): Promise<Map<string, OpenedRow["opened"]>> {
  if (page) checkPage(page);
  const newest = new Map<string, RecordRow>();
  const paged = page?.rows.flatMap((row) => (row.row === "record" ? [row] : [])) ?? [];
  for (const row of [...rows, ...paged]) {
    if (!row || (newest.get(recordKey(row))?.version ?? -1) >= row.version) continue;
    newest.set(recordKey(row), row);
  }
  const opened = await sealing.openRecords([...newest.values()]);
  return new Map([...newest.keys()].flatMap((key, at) => (opened[at] ? [[key, opened[at]]] : [])));
}

/** Keys and stream ids that a page touches. */
export function touchedBy(page: PullPage | undefined): { records: { kind: number; id: string }[]; logs: string[] } {
  const rows = page?.rows ?? [];
  return {
    records: rows.flatMap((row) => (row.row === "record" ? [{ kind: row.kind, id: row.id }] : [])),
    logs: rows.flatMap((row) => (row.row === "log" ? [row.streamId] : [])),
  };
}
