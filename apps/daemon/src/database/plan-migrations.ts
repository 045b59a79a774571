import type { Migration } from "./read-migrations.ts";

export type MigrationPlan =
  | { ok: true; steps: Migration[] }
  /** The database needs a program that knows at least schema `needs`. */
  | { ok: false; code: "database_newer"; needs: number; knows: number };

/** Decides which steps a database of schema `version` still needs, or that this program is too old for it. */
export function planMigrations(
  found: { version: number; minSafeVersion: number },
  known: readonly Migration[],
): MigrationPlan {
  if (found.version > known.length && found.minSafeVersion > known.length) {
    return { ok: false, code: "database_newer", needs: found.minSafeVersion, knows: known.length };
  }
  return { ok: true, steps: known.filter((step) => step.version > found.version) };
}
