import { and, eq, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { preferences } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

/** Stores one preference of the account (`scope` "account") or of a repository (its key). `body` is any JSON value. */
export function putPreference(tx: Tx, preference: { scope: string; key: string; body: unknown }): void {
  const body = JSON.stringify(preference.body);
  tx.store.db
    .insert(preferences)
    .values({ ...preference, body })
    .onConflictDoUpdate({
      target: [preferences.scope, preferences.key],
      set: { body, rev: sql`${preferences.rev} + 1`, dirty: "edit" },
    })
    .run();
}

/** Takes a preference back. */
export function dropPreference(tx: Tx, scope: string, key: string): void {
  tx.store.db
    .delete(preferences)
    .where(and(eq(preferences.scope, scope), eq(preferences.key, key)))
    .run();
}

/** The preferences of a scope as key and JSON text. */
export function listPreferences(store: OpenDatabase, scope: string): { key: string; body: string }[] {
  return store.db
    .select({ key: preferences.key, body: preferences.body })
    .from(preferences)
    .where(eq(preferences.scope, scope))
    .all();
}

/** The preferences whose records are behind, at most `limit`. */
export function dirtyPreferences(
  store: OpenDatabase,
  limit: number,
): { scope: string; key: string; body: string; rev: number }[] {
  return store.db.select().from(preferences).where(eq(preferences.dirty, "edit")).limit(limit).all();
}

/** What changed of a preference is in its record now, unless it changed again after `rev`. */
export function markPreferenceSent(tx: Tx, { scope, key }: { scope: string; key: string }, rev: number): void {
  tx.store.prepare("update preferences set dirty = '' where scope = ? and key = ? and rev = ?").run(scope, key, rev);
}

/** Everything is to be sent anew, to another account. */
export function markPreferencesUnsent(tx: Tx): void {
  tx.store.prepare("update preferences set dirty = 'edit'").run();
}
