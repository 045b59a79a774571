import type { Sql, TransactionSql } from "postgres";
import { CloudError } from "../http/cloud-error.ts";
import type { Migration } from "./read-migrations.ts";

/** Of all programs on one PostgreSQL server, those that bring this schema up to date take turns. */
const TURN = 7_236_001_845;

export type MigrationPlan =
  | { ok: true; steps: Migration[] }
  /** The database needs a program that knows at least schema `needs`. */
  | { ok: false; needs: number; knows: number };

/** Decides which steps a database still needs, or that this program is too old for it. */
export function planMigrations(
  found: { version: number; minSafeVersion: number },
  known: readonly Migration[],
): MigrationPlan {
  if (found.version > known.length && found.minSafeVersion > known.length)
    return { ok: false, needs: found.minSafeVersion, knows: known.length };
  return { ok: true, steps: known.filter((step) => step.version > found.version) };
}

/**
 * Brings the schema up to date; several programs may do so at once, one does the work. Each step is one transaction with
 * its version: interrupted anywhere, the database holds whole steps only and the next start goes on. Throws
 * `database_newer` when the database needs a newer program; nothing is changed then. `beforeStatement` may interrupt.
 */
export async function applyMigrations(
  sql: Sql,
  known: readonly Migration[],
  beforeStatement: (version: number, index: number) => void | Promise<void> = () => {},
): Promise<void> {
  // A lock of one connection: it goes with the connection, however that ends.
  const own = await sql.reserve();
  try {
    await own`select pg_advisory_lock(${TURN})`;
    await own`
      create table if not exists cloud_schema
        (version integer primary key, tag text not null, min_safe_version integer not null, applied_at timestamptz not null default now())`;
    const [found] = await own<{ version: number; minSafeVersion: number }[]>`
      select coalesce(max(version), 0) as version, coalesce(max(min_safe_version), 0) as "minSafeVersion" from cloud_schema`;
    const plan = planMigrations(found ?? { version: 0, minSafeVersion: 0 }, known);
    if (!plan.ok) throw newer(plan);
    for (const step of plan.steps) await applyStep(own, step, beforeStatement);
  } finally {
    await own`select pg_advisory_unlock(${TURN})`.catch(() => {});
    own.release();
  }
}

async function applyStep(
  own: Sql | TransactionSql,
  step: Migration,
  beforeStatement: (version: number, index: number) => void | Promise<void>,
): Promise<void> {
  await own`begin`;
  try {
    for (const [index, statement] of step.statements.entries()) {
      await beforeStatement(step.version, index);
      await own.unsafe(statement);
    }
    await beforeStatement(step.version, step.statements.length);
    await own`insert into cloud_schema (version, tag, min_safe_version) values (${step.version}, ${step.tag}, ${step.minSafeVersion})`;
    await own`commit`;
  } catch (error) {
    await own`rollback`.catch(() => {});
    throw error;
  }
}

function newer({ needs, knows }: { needs: number; knows: number }): CloudError {
  return new CloudError(
    "database_newer",
    `The database was written by a newer version of Code Hands (schema ${needs}; this program knows ${knows}). Nothing was changed. Install the newer version again.`,
  );
}
