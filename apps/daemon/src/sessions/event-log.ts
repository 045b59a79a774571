import type { ChainedEvent } from "@codehands/client/store";
import type { SessionStatus } from "@codehands/contracts";
import { putProviderStatus } from "../agents/provider-rows.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { cellsOf, type LineCells, lineOf } from "./event-line.ts";
import { type FoldSubject, foldEvent } from "./fold-event.ts";
import { readUsage } from "./read-usage.ts";
import { changeSession, moveSession, setLastSeq } from "./session-rows.ts";

/** An event that is to be stored. `type` may be one of a newer version. */
export interface NewEvent {
  sessionId: string;
  seq: number;
  type: string;
  at: string;
  payload: Record<string, unknown>;
  raw?: unknown;
  runId: string | null;
}

export interface LogContext {
  /** Makes the ids of events (UUIDv7). */
  newId: () => string;
  deviceId: string;
}

/**
 * Stores events of one session with everything they change: status, cost, usage, turns, diff, tests, tree and
 * the provider's state. Throws `seq_gap` for any number but the next one and `illegal_move` for a forbidden move;
 * the caller's transaction then holds nothing of them.
 */
export function appendEvents(tx: Tx, events: readonly NewEvent[], context: LogContext): void {
  const first = events[0];
  if (first === undefined) return;
  const { sessionId } = first;
  const session = readFoldRow(tx, sessionId);
  let { lastSeq } = session;
  let changed = false;
  for (const event of events) {
    if (event.sessionId !== sessionId || event.seq !== lastSeq + 1) {
      throw new DaemonError(
        "seq_gap",
        `Event ${event.seq} of session ${event.sessionId} was refused: event ${lastSeq + 1} of session ${sessionId} is the next one.`,
      );
    }
    lastSeq = event.seq;
    insertEvent(tx, event, context.newId());
    changed = applyFold(tx, { session, event, context }) || changed;
  }
  if (!changed) setLastSeq(tx, sessionId, lastSeq);
  else changeSession(tx, sessionId, { lastSeq });
}

/**
 * Removes the agents' own lines of one session's events before `before` (ISO time) and returns how many; the events
 * stay.
 */
export function purgeRaw(tx: Tx, sessionId: string, before: string): number {
  const until = tx.store
    .prepare("select max(seq) from events where session_id = ? and at < ?")
    .pluck()
    .get(sessionId, before) as number | null;
  if (until === null) return 0;
  return tx.store.prepare("delete from event_raw where session_id = ? and seq <= ?").run(sessionId, until).changes;
}

/** The sessions begun before `before` (ISO time) that still hold lines of their agents. */
export function sessionsWithRaw(store: OpenDatabase, before: string): string[] {
  return store
    .prepare(
      `select id from sessions where created_at < ?
         and exists (select 1 from event_raw where event_raw.session_id = sessions.id)`,
    )
    .pluck()
    .all(before) as string[];
}

/**
 * Notes the chain values of own events. Events that are not there yet came from the cloud: they take these numbers, and
 * what stood there without a chain value follows behind them. Events that are there keep what they are. Returns those that
 * came.
 */
export function chainEvents(tx: Tx, sessionId: string, events: readonly ChainedEvent[]): readonly ChainedEvent[] {
  const note = tx.store.prepare("update events set hash = ? where session_id = ? and seq = ? and id = ?");
  const isThere = (event: ChainedEvent): boolean =>
    note.run(Buffer.from(event.mac, "base64url"), sessionId, event.seq, event.id).changes === 1;
  const first = events.findIndex((event) => !isThere(event));
  if (first < 0) return [];
  const fresh = events.slice(first);
  const from = fresh[0]?.seq ?? 1;
  const known = new Set(fresh.map((event) => event.id));
  const tail = readCells(tx.store, { sessionId, from, to: Number.MAX_SAFE_INTEGER }).filter(({ id }) => !known.has(id));
  deleteFrom(tx, sessionId, from);
  for (const event of fresh) insertCells(tx, sessionId, { ...cellsOf(event, event.seq), hash: event.mac });
  const next = from + fresh.length;
  for (const [at, cells] of tail.entries()) insertCells(tx, sessionId, { ...cells, seq: next + at, hash: null });
  return fresh;
}

/** Takes the chained events after `after` up to `end` out of the log and returns them; later ones move up. */
export function cutEvents(
  tx: Tx,
  sessionId: string,
  { after, end }: { after: number; end: number },
): { id: string; line: string }[] {
  const cells = readCells(tx.store, { sessionId, from: after + 1, to: Number.MAX_SAFE_INTEGER });
  deleteFrom(tx, sessionId, after + 1);
  for (const [at, cell] of cells.filter(({ seq }) => seq > end).entries())
    insertCells(tx, sessionId, { ...cell, seq: after + 1 + at, hash: null });
  return cells.filter(({ seq }) => seq <= end).map((cell) => ({ id: cell.id, line: lineOf(cell) }));
}

/** From now on the lines of these events are what they are, whatever numbers the events get (S17). */
export function fixLines(tx: Tx, sessionId: string, events: readonly { id: string }[]): void {
  const fix = tx.store.prepare(
    "update events set was_seq = coalesce(was_seq, seq) where session_id = ? and id = ? and line is null",
  );
  for (const { id } of events) fix.run(sessionId, id);
}

/** Takes events out of the log of a session: they belong to another one. */
export function removeEvents(tx: Tx, sessionId: string, ids: readonly string[]): void {
  const remove = tx.store.prepare("delete from events where session_id = ? and id = ?");
  for (const id of ids) remove.run(sessionId, id);
}

/** Puts events behind the last one of a log, with the numbers that follow. */
export function addEvents(
  tx: Tx,
  sessionId: string,
  events: readonly { id: string; line: string; mac?: string }[],
): void {
  const last = tx.store.prepare("select coalesce(max(seq), 0) from events where session_id = ?").pluck().get(sessionId);
  for (const [at, event] of events.entries()) {
    const seq = Number(last) + 1 + at;
    insertCells(tx, sessionId, { ...cellsOf(event, seq), hash: event.mac ?? null });
  }
}

/** Events … of a session as cells of their lines, in their order. */
export function readCells(
  store: OpenDatabase,
  { sessionId, from, to }: { sessionId: string; from: number; to: number },
): (LineCells & { hash: Buffer | null })[] {
  return store
    .prepare(
      `select id, seq, type, at, run_id runId, payload, was_seq wasSeq, line, hash from events
       where session_id = ? and seq between ? and ? order by seq`,
    )
    .all(sessionId, from, to) as (LineCells & { hash: Buffer | null })[];
}

/** The chain value of a session at a seq, base64url; null where there is none. */
export function chainValueAt(store: OpenDatabase, sessionId: string, seq: number): string | null {
  const hash = store.prepare("select hash from events where session_id = ? and seq = ?").pluck().get(sessionId, seq);
  return Buffer.isBuffer(hash) ? hash.toString("base64url") : null;
}

function deleteFrom(tx: Tx, sessionId: string, from: number): void {
  tx.store.prepare("delete from events where session_id = ? and seq >= ?").run(sessionId, from);
  // The agents' own lines stay with numbers, and these numbers mean other events now.
  tx.store.prepare("delete from event_raw where session_id = ? and seq >= ?").run(sessionId, from);
}

function insertCells(tx: Tx, sessionId: string, cells: LineCells & { hash: string | Buffer | null }): void {
  const hash = typeof cells.hash === "string" ? Buffer.from(cells.hash, "base64url") : cells.hash;
  tx.store
    .prepare(
      `insert into events (session_id, seq, id, type, at, payload, run_id, hash, was_seq, line)
       values (@sessionId, @seq, @id, @type, @at, @payload, @runId, @hash, @wasSeq, @line)`,
    )
    .run({ ...cells, sessionId, hash });
}

function insertEvent(tx: Tx, event: NewEvent, id: string): void {
  tx.store
    .prepare("insert into events (session_id, seq, id, type, at, payload, run_id) values (?, ?, ?, ?, ?, ?, ?)")
    .run(event.sessionId, event.seq, id, event.type, event.at, JSON.stringify(event.payload), event.runId);
  if (event.raw === undefined || event.raw === null) return;
  const raw = JSON.stringify(event.raw);
  tx.store
    .prepare("insert into event_raw (session_id, seq, raw, bytes) values (?, ?, ?, ?)")
    .run(event.sessionId, event.seq, raw, Buffer.byteLength(raw));
}

function applyFold(
  tx: Tx,
  { session, event, context }: { session: FoldSubject; event: NewEvent; context: LogContext },
): boolean {
  const fold = foldEvent(session, event);
  if (!fold.ok) throw new DaemonError(fold.code, fold.reason);
  if (fold.provider !== null) putProviderStatus(tx, { ...fold.provider, deviceId: context.deviceId });
  session.usage = fold.usage;
  session.startedAt = fold.change.startedAt ?? session.startedAt;
  if (fold.to !== null) {
    moveSession(tx, event.sessionId, { to: fold.to, change: fold.change });
    session.status = fold.to;
    return true;
  }
  if (Object.keys(fold.change).length === 0) return false;
  changeSession(tx, event.sessionId, fold.change);
  return true;
}

function readFoldRow(tx: Tx, sessionId: string): FoldSubject & { lastSeq: number } {
  const row = tx.store
    .prepare("select status, agent, started_at startedAt, usage, last_seq lastSeq from sessions where id = ?")
    .get(sessionId) as
    | { status: SessionStatus; agent: string; startedAt: string | null; usage: string | null; lastSeq: number }
    | undefined;
  if (row === undefined) throw new DaemonError("not_found", `There is no session ${sessionId}.`);
  const usage = readJson(row.usage);
  return { ...row, usage: usage.ok && isRecord(usage.value) ? readUsage(usage.value) : null };
}
