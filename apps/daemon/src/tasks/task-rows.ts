import { eq, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { tasks } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type TaskRow = typeof tasks.$inferSelect;
export type NewTask = Omit<TaskRow, "rev" | "dirty" | "closedAt">;

/** Stores what a person asked for. */
export function insertTask(tx: Tx, task: NewTask): void {
  tx.store.db.insert(tasks).values(task).run();
}

/** Closes a task once one of its sessions is approved, or opens it again (null). */
export function closeTask(tx: Tx, id: string, closedAt: string | null): void {
  const change = { closedAt, rev: sql`${tasks.rev} + 1`, dirty: "edit" };
  tx.store.db.update(tasks).set(change).where(eq(tasks.id, id)).run();
}

/** One task. */
export function readTask(store: OpenDatabase, id: string): TaskRow | undefined {
  return store.db.select().from(tasks).where(eq(tasks.id, id)).get();
}

/** The tasks whose records are behind, at most `limit`. */
export function dirtyTasks(store: OpenDatabase, limit: number): TaskRow[] {
  return store.db.select().from(tasks).where(eq(tasks.dirty, "edit")).limit(limit).all();
}

/** What changed of a task is in its record now, unless it changed again after `rev`. */
export function markTaskSent(tx: Tx, id: string, rev: number): void {
  tx.store.prepare("update tasks set dirty = '' where id = ? and rev = ?").run(id, rev);
}

/** Everything is to be sent anew, to another account. */
export function markTasksUnsent(tx: Tx): void {
  tx.store.prepare("update tasks set dirty = 'edit'").run();
}
