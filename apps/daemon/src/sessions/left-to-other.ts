import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { RECORD_KINDS } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { readMeta, writeMeta } from "../home/meta.ts";

/**
 * SQL, true for a row of `sessions` that stands under an id which this home gave up, and which the account has heard of: it
 * is the other copy's now. What it never heard of stays this home's own.
 */
export const LEFT_TO_OTHER = `(sessions.device_id in (select value from json_each(
    coalesce((select value from meta where key = 'given_up'), '{}')))
  and (exists (select 1 from sync_logs l where l.stream_id = sessions.id and l.writer = sessions.device_id
      and l.final_seq > 0)
    or exists (select 1 from sync_records r where r.kind = ${RECORD_KINDS.session} and r.id = sessions.id
      and r.writer = sessions.device_id and r.deleted = 0 and r.body is not null)))`;

/** S3: this home, a copy, is another device from now on; its old id is the other copy's alone. */
export function giveUpId(tx: Tx, deviceId: string): void {
  const json = readJson(readMeta(tx.store, "given_up") ?? null);
  const known = json.ok && isRecord(json.value) ? json.value : {};
  writeMeta(tx, "given_up", JSON.stringify({ ...known, [deviceId]: deviceId }));
}

/** True for a session that is here because this home is a copy, and that is its owner's to decide. */
export function isLeftToOther(store: OpenDatabase, sessionId: string): boolean {
  return store.prepare(`select 1 from sessions where id = ? and ${LEFT_TO_OTHER}`).pluck().get(sessionId) === 1;
}

/**
 * True when a session's own git folder lies in another home that stands: this one was copied from it on the same
 * machine, and both would work on the same files. Of a home that was moved nothing stands at the old place.
 */
export function liesInOtherHome(home: string, { privateGitDir }: { privateGitDir: string | null }): boolean {
  if (privateGitDir === null || !existsSync(privateGitDir)) return false;
  const way = relative(realpathSync(home), realpathSync(privateGitDir));
  return way.startsWith("..") || isAbsolute(way);
}
