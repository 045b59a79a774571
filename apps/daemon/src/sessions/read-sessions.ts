import type { Resolved, SessionPage, SessionQuery, SessionView } from "@codehands/api";
import { and, desc, eq, getTableColumns, gte, inArray, like, or, type SQL, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { repos, sessions } from "../database/schema.ts";
import { LEFT_TO_OTHER } from "./left-to-other.ts";
import type { SessionRow } from "./session-rows.ts";
import { sessionView, type ViewContext } from "./session-view.ts";

type ListedRow = SessionRow & { remote: string | null };

/** One page of this device's sessions, newest first. The cursor names the last row looked at, so new sessions shift nothing. */
export function listSessions(store: OpenDatabase, query: SessionQuery, context: ViewContext): SessionPage {
  const rows = selectRows(store, and(...filters(query), sql`not ${sql.raw(LEFT_TO_OTHER)}`), query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const views = page.map((row) => sessionView(row, context)).filter((view) => view !== null);
  return {
    sessions: views,
    unreadable: page.length - views.length,
    nextCursor: rows.length > query.limit && last !== undefined ? toCursor(last) : null,
  };
}

/** One session; null when there is none or its row cannot be read. */
export function viewSession(store: OpenDatabase, sessionId: string, context: ViewContext): SessionView | null {
  const row = selectRows(store, eq(sessions.id, sessionId), 1)[0];
  return row === undefined ? null : sessionView(row, context);
}

/** Finds the session that a UUID, a prefix of four or more characters, a branch, `@last` or `@waiting` means. */
export function resolveSession(store: OpenDatabase, ref: string): Resolved {
  const found = candidates(store, ref.trim());
  const only = found[0];
  if (only === undefined) return { ok: false, code: "not_found", candidates: [] };
  return found.length === 1 ? { ok: true, sessionId: only } : { ok: false, code: "ambiguous", candidates: found };
}

function candidates(store: OpenDatabase, ref: string): string[] {
  const ids = (where: SQL | undefined, limit = 10): string[] =>
    store.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(where)
      .orderBy(desc(sql`rowid`))
      .limit(limit)
      .all()
      .map((row) => row.id);
  if (ref === "@last") return ids(undefined, 1);
  if (ref === "@waiting") return ids(eq(sessions.status, "awaiting_approval"));
  const exact = ids(or(eq(sessions.id, ref.toLowerCase()), eq(sessions.branch, ref)));
  if (exact.length > 0) return exact;
  return /^[0-9a-f-]{4,36}$/i.test(ref) ? ids(like(sessions.id, `${ref.toLowerCase()}%`)) : [];
}

function selectRows(store: OpenDatabase, where: SQL | undefined, limit: number): ListedRow[] {
  return store.db
    .select({ ...getTableColumns(sessions), remote: repos.remote })
    .from(sessions)
    .leftJoin(repos, eq(repos.repoKey, sessions.repoKey))
    .where(where)
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(limit)
    .all() as ListedRow[];
}

function filters(query: SessionQuery): (SQL | undefined)[] {
  const cursor = query.cursor === undefined ? undefined : fromCursor(query.cursor);
  const words = query.search?.trim();
  const pattern = words === undefined || words === "" ? undefined : `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  return [
    query.status === undefined ? undefined : inArray(sessions.status, query.status),
    query.repoKey === undefined ? undefined : eq(sessions.repoKey, query.repoKey),
    query.deviceId === undefined ? undefined : eq(sessions.deviceId, query.deviceId),
    query.since === undefined ? undefined : gte(sessions.createdAt, query.since),
    pattern === undefined
      ? undefined
      : sql`(${sessions.title} like ${pattern} escape '\\' or ${sessions.prompt} like ${pattern} escape '\\')`,
    cursor === undefined ? undefined : sql`(${sessions.createdAt}, ${sessions.id}) < (${cursor.at}, ${cursor.id})`,
  ];
}

function toCursor(row: ListedRow): string {
  return Buffer.from(`${row.createdAt} ${row.id}`).toString("base64url");
}

/** A cursor that is not one of ours finds nothing rather than everything again. */
function fromCursor(cursor: string): { at: string; id: string } {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  return { at, id };
}
