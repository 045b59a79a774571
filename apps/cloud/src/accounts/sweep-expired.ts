import type { Sql } from "postgres";
import { purgeTombstones } from "../sync/purge-tombstones.ts";
import { LOGIN_DAYS } from "./find-login.ts";

/** How often what has expired is removed. Nothing depends on it: whatever has expired is refused at once. */
const EVERY_MS = 5 * 60 * 1_000;

/** Removes what has expired: challenges, tokens, invitations, pairings, logins, tries that do not count any more, old deletions (S12). */
export async function sweepExpired(sql: Sql): Promise<void> {
  await sql`delete from challenges where expires_at < now()`;
  await sql`delete from access_tokens where expires_at < now()`;
  await sql`delete from invitations where expires_at < now()`;
  await sql`delete from pairings where expires_at < now()`;
  await sql`delete from auth_logins where expires_at < now() or created_at < now() - make_interval(days => ${LOGIN_DAYS})`;
  await sql`delete from auth_verifications where expires_at < now()`;
  await sql`delete from rate_limits where expire < ${Date.now()}`;
  await purgeTombstones(sql);
}

/** Sweeps now and then until it is stopped. `onFault` hears what went wrong; the next sweep tries again. */
export function startSweeping(sql: Sql, onFault: (error: unknown) => void): { stop(): Promise<void> } {
  let sweep = Promise.resolve();
  const run = (): void => {
    sweep = sweep.then(() => sweepExpired(sql)).catch(onFault);
  };
  run();
  const timer = setInterval(run, EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return sweep;
    },
  };
}
