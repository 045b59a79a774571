import type { Run } from "@codehands/contracts";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { runs } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";
import { LEFT_TO_OTHER } from "../sessions/left-to-other.ts";

/**
 * Stores a run as its runner knows it. How far its output is stored as events (`byteOffset`) is only set by
 * `setRunOffset`, in the transaction of those events: here it counts for a new row alone.
 */
export function putRun(tx: Tx, run: Run): void {
  const { id, sessionId, ordinal, byteOffset, ...known } = run;
  tx.store.db
    .insert(runs)
    .values({ id, sessionId, ordinal, byteOffset, ...known })
    .onConflictDoUpdate({ target: runs.id, set: known })
    .run();
}

/** Notes that all output before this byte is stored as events. */
export function setRunOffset(tx: Tx, runId: string, byteOffset: number): void {
  tx.store.prepare("update runs set byte_offset = ? where id = ?").run(byteOffset, runId);
}

/** Ends a run that no process belongs to any more. */
export function endRun(tx: Tx, runId: string, endedAt: string): void {
  tx.store
    .prepare("update runs set state = 'ended', ended_at = coalesce(ended_at, ?) where id = ?")
    .run(endedAt, runId);
}

/** The runs of a session in their order. */
export function runsOf(store: OpenDatabase, sessionId: string): Run[] {
  return store.db.select().from(runs).where(eq(runs.sessionId, sessionId)).orderBy(asc(runs.ordinal)).all() as Run[];
}

/** All runs of this device's sessions that are not known to have ended. */
export function openRuns(store: OpenDatabase): Run[] {
  return store.db
    .select()
    .from(runs)
    .where(
      and(
        inArray(runs.state, ["spawning", "live"]),
        sql`not exists (select 1 from sessions where sessions.id = ${runs.sessionId} and ${sql.raw(LEFT_TO_OTHER)})`,
      ),
    )
    .orderBy(asc(runs.sessionId), asc(runs.ordinal))
    .all() as Run[];
}
