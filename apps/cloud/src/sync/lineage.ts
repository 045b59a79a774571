import type { ISql, Sql } from "postgres";

/** Puts every account into a new lineage: the database was put back to a backup. Returns how many accounts. */
export async function beginNewLineages(sql: ISql): Promise<number> {
  const changed = await sql`update accounts set epoch = gen_random_uuid()`;
  return changed.count;
}

/**
 * Looks whether this is the server and the timeline that the database was last started on; after a dump was read back or a
 * point in time restored it is not, and every account gets a new lineage. A file copy is not noticed. Returns true then.
 */
export async function noticeRestore(sql: Sql): Promise<boolean> {
  return sql.begin(async (own) => {
    // Two servers of one cloud may start at once.
    await own`lock table cloud_meta in exclusive mode`;
    const place = await placeOf(own);
    if (place === null) return false;
    const [last] = await own<{ value: string }[]>`select value from cloud_meta where key = 'place'`;
    await own`insert into cloud_meta (key, value) values ('place', ${place}) on conflict (key) do update set value = ${place}`;
    if (last === undefined || last.value === place) return false;
    await beginNewLineages(own);
    return true;
  });
}

/** Null where the login may not ask. */
async function placeOf(own: ISql): Promise<string | null> {
  const [may] = await own<{ may: boolean }[]>`
    select has_function_privilege('pg_control_system()', 'execute') and has_function_privilege('pg_control_checkpoint()', 'execute') as may`;
  if (may?.may !== true) return null;
  const [row] = await own<{ place: string }[]>`
    select system_identifier || '/' || timeline_id as place from pg_control_system(), pg_control_checkpoint()`;
  return row?.place ?? null;
}
