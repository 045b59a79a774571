import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import { folderBytes } from "./folder-bytes.ts";
import { planTrash } from "./plan-trash.ts";
import { dropTrash, listTrash, setTrashBytes } from "./trash-rows.ts";

/** The most that kept folders may take together, bytes. */
export const TRASH_CAP = 5 * 1024 ** 3;

export interface Sweep {
  store: OpenDatabase;
  /** Only folders directly in here are ever removed. */
  trashRoot: string;
  /** ISO time of now. */
  now: string;
  dryRun?: boolean;
}

/**
 * Removes kept folders whose time is over, and the oldest beyond the cap. Snapshots in the private git folders stay.
 * A folder that cannot be removed keeps its row and is tried again next time.
 */
export async function sweepTrash({
  store,
  trashRoot,
  now,
  dryRun,
}: Sweep): Promise<{ removed: string[]; bytes: number }> {
  for (const row of listTrash(store)) {
    if (row.bytes !== null) continue;
    const bytes = await folderBytes(row.folder);
    inTransaction(store, (tx) => setTrashBytes(tx, row.sessionId, bytes));
  }
  const gone = planTrash(listTrash(store), { now, cap: TRASH_CAP }).filter((row) => dirname(row.folder) === trashRoot);
  const removed: string[] = [];
  let bytes = 0;
  for (const row of gone) {
    if (dryRun !== true) {
      try {
        await rm(row.folder, { recursive: true, force: true });
      } catch {
        continue;
      }
      inTransaction(store, (tx) => dropTrash(tx, row.sessionId));
    }
    removed.push(row.sessionId);
    bytes += row.bytes ?? 0;
  }
  return { removed, bytes };
}
