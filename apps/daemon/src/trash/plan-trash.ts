import type { TrashRow } from "./trash-rows.ts";

/** Chooses what leaves the trash: all whose time is over by `now` (ISO), then the oldest until the rest fits `cap` bytes. */
export function planTrash(rows: readonly TrashRow[], { now, cap }: { now: string; cap: number }): TrashRow[] {
  const oldestFirst = [...rows].sort((a, b) => (a.deletedAt < b.deletedAt ? -1 : 1));
  let left = oldestFirst.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  const gone: TrashRow[] = [];
  for (const row of oldestFirst) {
    if (row.expiresAt <= now || (left > cap && (row.bytes ?? 0) > 0)) {
      gone.push(row);
      left -= row.bytes ?? 0;
    }
  }
  return gone;
}
