import type Database from "better-sqlite3";
import { META_UPSERT } from "../home/meta.ts";
import type { Migration } from "./read-migrations.ts";

/** The schema version of a database and the lowest version a program must know to write to it; 0 when new. */
export function readSchemaVersion(sqlite: Database.Database): { version: number; minSafeVersion: number } {
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  if (version === 0) return { version: 0, minSafeVersion: 0 };
  const value = sqlite.prepare("select value from meta where key = 'min_safe_version'").pluck().get();
  return { version, minSafeVersion: Number(value ?? version) };
}

/**
 * Applies migrations in order, each in its own transaction together with its version. Interrupted anywhere,
 * the database holds whole steps only and the next start goes on with the first missing one.
 */
export function applyMigrations(
  sqlite: Database.Database,
  steps: readonly Migration[],
  beforeStatement: (version: number, index: number) => void = () => {},
): void {
  for (const step of steps) {
    const apply = sqlite.transaction(() => {
      for (const [index, statement] of step.statements.entries()) {
        beforeStatement(step.version, index);
        sqlite.exec(statement);
      }
      beforeStatement(step.version, step.statements.length);
      const upsert = sqlite.prepare(META_UPSERT);
      upsert.run({ key: "schema_version", value: String(step.version) });
      upsert.run({ key: "min_safe_version", value: String(step.minSafeVersion) });
      sqlite.pragma(`user_version = ${step.version}`);
    });
    apply.immediate();
  }
}
