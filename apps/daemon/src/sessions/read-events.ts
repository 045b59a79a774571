import type { EventPage, EventQuery, EventView } from "@codehands/api";
import { and, asc, desc, eq, gt, inArray } from "drizzle-orm";
import { events } from "../database/event-table.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import { eventRaw } from "../database/schema.ts";
import { lastSeqOf } from "./session-rows.ts";

interface EventCells {
  sessionId: string;
  seq: number;
  type: string;
  at: string;
  payload: string;
  raw?: string | null;
}

/** A page of a session's stored events in their order. Types of a newer version are handed on as they are. */
export function readEvents(store: OpenDatabase, query: EventQuery): EventPage {
  const newest = query.newest === true;
  const rows = store.db
    .select({
      sessionId: events.sessionId,
      seq: events.seq,
      type: events.type,
      at: events.at,
      payload: events.payload,
      raw: eventRaw.raw,
    })
    .from(events)
    .leftJoin(eventRaw, and(eq(eventRaw.sessionId, events.sessionId), eq(eventRaw.seq, events.seq)))
    .where(
      and(
        eq(events.sessionId, query.sessionId),
        gt(events.seq, query.afterSeq),
        query.types === undefined ? undefined : inArray(events.type, query.types),
      ),
    )
    .orderBy(newest ? desc(events.seq) : asc(events.seq))
    .limit(query.limit)
    .all();
  if (newest) rows.reverse();
  return {
    events: rows.map((row) => eventView(query.raw === true ? row : { ...row, raw: null })),
    lastSeq: lastSeqOf(store, query.sessionId) ?? 0,
  };
}

/** The next events of a session, prepared: what a watcher reads after each commit. */
export function readNextEvents(
  store: OpenDatabase,
  at: { sessionId: string; afterSeq: number },
  limit: number,
): EventView[] {
  const rows = store
    .prepare(
      `select session_id sessionId, seq, type, at, payload from events
       where session_id = ? and seq > ? order by seq limit ?`,
    )
    .all(at.sessionId, at.afterSeq, limit) as EventCells[];
  return rows.map(eventView);
}

/** A row as an event. A payload that cannot be read is told as such, so that it hides no other event. */
function eventView({ raw, payload, ...cells }: EventCells): EventView {
  const json = readJson(payload);
  const view = { ...cells, payload: json.ok && isRecord(json.value) ? json.value : { unreadable: true } };
  if (raw === null || raw === undefined) return view;
  const line = readJson(raw);
  return { ...view, raw: line.ok ? line.value : raw };
}
