import type { ChainedEvent, WaitingEvent } from "@codehands/client/store";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

/** Events … of a stream, by number. */
export interface LineRange {
  streamId: string;
  from: number;
  to: number;
}

/** Puts lines at the end of a stream that is no session of this device. */
export function addLines(tx: Tx, streamId: string, events: readonly ChainedEvent[]): void {
  const insert = tx.store.prepare("insert into replica_events (stream_id, seq, id, mac, line) values (?, ?, ?, ?, ?)");
  for (const { seq, id, mac, line } of events) insert.run(streamId, seq, id, mac, line);
}

/** Takes the lines after `after` out of a stream and returns them. */
export function cutLines(tx: Tx, streamId: string, after: number): WaitingEvent[] {
  const tail = readLines(tx.store, { streamId, from: after + 1, to: Number.MAX_SAFE_INTEGER });
  tx.store.prepare("delete from replica_events where stream_id = ? and seq > ?").run(streamId, after);
  return tail.map(({ id, line }) => ({ id, line }));
}

/** Lines of a stream that is no session of this device, in their order. */
export function readLines(store: OpenDatabase, { streamId, from, to }: LineRange): ChainedEvent[] {
  return store
    .prepare("select seq, id, mac, line from replica_events where stream_id = ? and seq between ? and ? order by seq")
    .all(streamId, from, to) as ChainedEvent[];
}

/** The events of a stream that wait for a number, in their order. */
export function readWaiting(store: OpenDatabase, streamId: string): WaitingEvent[] {
  return store
    .prepare("select id, line from waiting_events where stream_id = ? order by n")
    .all(streamId) as WaitingEvent[];
}

/** Lets events wait: behind what waits already, or before it. */
export function addWaiting(
  tx: Tx,
  streamId: string,
  { events, where }: { events: readonly WaitingEvent[]; where: "before" | "behind" },
): void {
  const { low, high } = tx.store
    .prepare("select coalesce(min(n), 1) low, coalesce(max(n), 0) high from waiting_events where stream_id = ?")
    .get(streamId) as { low: number; high: number };
  const insert = tx.store.prepare("insert into waiting_events (stream_id, n, id, line) values (?, ?, ?, ?)");
  const start = where === "behind" ? high + 1 : low - events.length;
  for (const [at, { id, line }] of events.entries()) insert.run(streamId, start + at, id, line);
}

/** Events wait no more. */
export function dropWaiting(tx: Tx, streamId: string, ids: readonly string[] | "all"): void {
  if (ids === "all") {
    tx.store.prepare("delete from waiting_events where stream_id = ?").run(streamId);
    return;
  }
  const drop = tx.store.prepare("delete from waiting_events where stream_id = ? and id = ?");
  for (const id of ids) drop.run(streamId, id);
}

/** Keeps events that the cloud has no more, beside the log. */
export function addOrphans(tx: Tx, streamId: string, events: readonly WaitingEvent[]): void {
  const insert = tx.store.prepare("insert into orphans (stream_id, id, line) values (?, ?, ?)");
  for (const { id, line } of events) insert.run(streamId, id, line);
}

/** Forgets the lines of all streams: the account was signed out. */
export function forgetLines(tx: Tx): void {
  tx.store.prepare("delete from replica_events").run();
  tx.store.prepare("delete from waiting_events").run();
  tx.store.prepare("delete from orphans").run();
}
