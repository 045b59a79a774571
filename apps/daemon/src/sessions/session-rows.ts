import { canTransition, RECORD_KINDS, type SessionStatus } from "@codehands/contracts";
import { eq, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { sessions } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { LEFT_TO_OTHER } from "./left-to-other.ts";

export type SessionRow = Omit<typeof sessions.$inferSelect, "status"> & { status: SessionStatus };
export type NewSession = typeof sessions.$inferInsert;
/** What may change besides the status, which only moves by `moveSession`. */
export type SessionChange = Partial<Omit<SessionRow, "id" | "taskId" | "status" | "rev" | "dirty" | "createdAt">>;

/** Stores a new session, always as queued. */
export function insertSession(tx: Tx, session: Omit<NewSession, "status">): void {
  tx.store.db
    .insert(sessions)
    .values({ ...session, status: "queued" })
    .run();
}

/** One session. */
export function readSession(store: OpenDatabase, id: string): SessionRow | undefined {
  return store.db.select().from(sessions).where(eq(sessions.id, id)).get() as SessionRow | undefined;
}

/** Changes facts of a session; each call counts its `rev` up by one. */
export function changeSession(tx: Tx, id: string, change: SessionChange): void {
  tx.store.db
    .update(sessions)
    .set({ ...change, rev: sql`${sessions.rev} + 1`, dirty: "edit" })
    .where(eq(sessions.id, id))
    .run();
}

/** Moves a session to another status together with other facts. Throws `illegal_move` for a move the contract forbids. */
export function moveSession(tx: Tx, id: string, move: { to: SessionStatus; change?: SessionChange }): void {
  const from = statusOf(tx.store, id);
  if (from === undefined) throw new DaemonError("not_found", `There is no session ${id}.`);
  if (!canTransition(from, move.to)) {
    throw new DaemonError("illegal_move", `Session ${id} is ${from} and cannot become ${move.to}.`);
  }
  tx.store.db
    .update(sessions)
    .set({ ...move.change, status: move.to, rev: sql`${sessions.rev} + 1`, dirty: "edit" })
    .where(eq(sessions.id, id))
    .run();
}

/** The status of a session; undefined when there is none. */
export function statusOf(store: OpenDatabase, id: string): SessionStatus | undefined {
  return store.prepare("select status from sessions where id = ?").pluck().get(id) as SessionStatus | undefined;
}

/** The number of a session's newest stored event; undefined when there is no such session. */
export function lastSeqOf(store: OpenDatabase, id: string): number | undefined {
  return store.prepare("select last_seq from sessions where id = ?").pluck().get(id) as number | undefined;
}

/** Notes the number of a session's newest event. The hot path: prepared, and only for events that change nothing else. */
export function setLastSeq(tx: Tx, id: string, lastSeq: number): void {
  tx.store.prepare("update sessions set last_seq = ?, rev = rev + 1, dirty = 'edit' where id = ?").run(lastSeq, id);
}

/** All sessions of this device with one of these statuses, oldest first in the order they were stored: no clock can turn it round. */
export function sessionsIn(store: OpenDatabase, ...statuses: SessionStatus[]): SessionRow[] {
  const wanted = new Set<string>(statuses);
  return store.db
    .select()
    .from(sessions)
    .where(sql`${sessions.status} in ${[...wanted]} and not ${sql.raw(LEFT_TO_OTHER)}`)
    .orderBy(sql`rowid`)
    .all() as SessionRow[];
}

/**
 * Notes where the log of a session stands in the sync: what was acknowledged, how often it was numbered anew, its end.
 * The session's record names that end: with another one it is behind.
 */
export function noteLog(tx: Tx, id: string, log: { pushedSeq: number; generation: number; tailMac: string }): void {
  tx.store
    .prepare(
      `update sessions set pushed_seq = min(@pushedSeq, last_seq), generation = @generation,
         dirty = case when last_hash is @lastHash then dirty else 'edit' end, last_hash = @lastHash
       where id = @id`,
    )
    .run({ id, ...log, lastHash: Buffer.from(log.tailMac, "base64url") });
}

/** Events of a session were numbered anew: its last number follows from what is stored. */
export function countEvents(tx: Tx, id: string): void {
  tx.store
    .prepare(
      `update sessions set last_seq = n.last, pushed_seq = min(pushed_seq, n.last), rev = rev + 1, dirty = 'edit'
       from (select coalesce(max(seq), 0) last from events where session_id = @id) n where id = @id`,
    )
    .run({ id });
}

/** Nothing of any session counts as acknowledged any more. */
export function forgetPushed(tx: Tx): void {
  tx.store.prepare("update sessions set pushed_seq = 0 where pushed_seq > 0").run();
}

/** What changed of a session is in its record now, unless it changed again after `rev`. */
export function markSessionSent(tx: Tx, id: string, rev: number): void {
  tx.store.prepare("update sessions set dirty = '' where id = ? and rev = ?").run(id, rev);
}

/** What the next account may get is to be sent anew. */
export function markSessionsUnsent(tx: Tx): void {
  tx.store.prepare("update sessions set dirty = 'edit', last_hash = null, pushed_seq = 0").run();
}

/**
 * The sessions of one device id that the account has never heard of go on as those of another id. What it has heard of
 * is that id's for ever: no other device can write it.
 */
export function takeAlong(tx: Tx, { from, to }: { from: string; to: string }): void {
  tx.store
    .prepare(
      `update sessions set device_id = @to where device_id = @from
         and not exists (select 1 from sync_logs l where l.stream_id = sessions.id
           and (l.pushed_seq > 0 or l.final_seq > 0 or l."row" is not null))
         and not exists (select 1 from sync_records r where r.kind = @kind and r.id = sessions.id and r.base is not null)`,
    )
    .run({ from, to, kind: RECORD_KINDS.session });
}

/** True when this device's own table knows the session. */
export function isOwnSession(store: OpenDatabase, id: string): boolean {
  return store.prepare("select 1 from sessions where id = ?").pluck().get(id) === 1;
}

/** The sessions of a device whose records or events are behind, the newest first. */
export function dirtySessions(store: OpenDatabase, deviceId: string): string[] {
  return store
    .prepare("select id from sessions where dirty = 'edit' and device_id = ? order by created_at desc")
    .pluck()
    .all(deviceId) as string[];
}

/**
 * What own sessions have that the account's records and logs do not tell yet. The record of one at work is none: it
 * tells of what changes, and never of the last event.
 */
export function countUncollected(store: OpenDatabase, deviceId: string): { events: number; records: number } {
  return store
    .prepare(
      `select coalesce(sum(s.status <> 'running' or l.stream_id is null), 0) records,
              coalesce(sum(max(0, s.last_seq - coalesce(l.last_seq + l.waiting, 0))), 0) events
         from sessions s left join sync_logs l on l.stream_id = s.id where s.dirty = 'edit' and s.device_id = ?`,
    )
    .get(deviceId) as { events: number; records: number };
}

/** How often the sync has numbered a session's log anew. */
export function generationOf(store: OpenDatabase, id: string): number {
  return (store.prepare("select generation from sessions where id = ?").pluck().get(id) as number | undefined) ?? 0;
}

/** True for a session that does not run and whose record does not tell what it is. */
export function isBehindAtRest(store: OpenDatabase, id: string): boolean {
  return (
    store
      .prepare("select 1 from sessions where id = ? and dirty = 'edit' and status not in ('queued', 'running')")
      .pluck()
      .get(id) === 1
  );
}
