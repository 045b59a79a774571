import type { Sql } from "postgres";

/** A device that slept this long starts over instead of missing a deletion. */
const KEEP_DAYS = 90;

/** Removes deletions older than 90 days; devices that have not seen them by then are told to start over (S12). */
export async function purgeTombstones(sql: Sql, keepDays: number = KEEP_DAYS): Promise<number> {
  const accounts = await sql<{ id: string }[]>`
    select distinct account_id as id from records where deleted and received_at < now() - ${keepDays} * interval '1 day'`;
  let purged = 0;
  for (const { id } of accounts) {
    const [row] = await sql<{ count: number }[]>`
      select purge_tombstones(${id}, now() - ${keepDays} * interval '1 day') as count`;
    purged += row?.count ?? 0;
  }
  return purged;
}
