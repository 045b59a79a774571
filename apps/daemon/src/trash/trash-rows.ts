import { eq, lte } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { trash } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type TrashRow = typeof trash.$inferSelect;

/** Notes where a session's worktree was put and until when it is kept. A second time changes nothing. */
export function putTrash(tx: Tx, row: TrashRow): void {
  tx.store.db.insert(trash).values(row).onConflictDoNothing().run();
}

/** Notes the measured size of a kept folder. */
export function setTrashBytes(tx: Tx, sessionId: string, bytes: number): void {
  tx.store.db.update(trash).set({ bytes }).where(eq(trash.sessionId, sessionId)).run();
}

/** Forgets a kept folder, once it is gone. */
export function dropTrash(tx: Tx, sessionId: string): void {
  tx.store.db.delete(trash).where(eq(trash.sessionId, sessionId)).run();
}

/** Kept folders, oldest first; with `until`, only those whose time ends at or before it. */
export function listTrash(store: OpenDatabase, until?: string): TrashRow[] {
  const query = store.db.select().from(trash).orderBy(trash.deletedAt);
  return until === undefined ? query.all() : query.where(lte(trash.expiresAt, until)).all();
}
