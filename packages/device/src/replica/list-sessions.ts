import type { Resolved, SessionQuery, SessionView } from "@codehands/api";

/** Where a page ended. */
interface Cursor {
  at: string;
  id: string;
}

export interface Listed<T> {
  page: T[];
  nextCursor: string | null;
}

const CANDIDATES = 10;

/** The newest first, as a daemon lists its own. */
export function compareSessions(a: SessionView, b: SessionView): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

/** One page of sessions, newest first. The cursor names the last row, so new sessions shift nothing. */
export function pageOf<T extends { view: SessionView }>(sessions: readonly T[], query: SessionQuery): Listed<T> {
  const matches = filterOf(query);
  const found = sessions.filter(({ view }) => matches(view)).sort((a, b) => compareSessions(a.view, b.view));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return { page, nextCursor: last && found.length > query.limit ? toCursor(last.view) : null };
}

function filterOf(query: SessionQuery): (view: SessionView) => boolean {
  const { status, repoKey, deviceId, since } = query;
  const words = query.search?.trim().toLowerCase() ?? "";
  const cursor = query.cursor === undefined ? null : fromCursor(query.cursor);
  return (view) =>
    (status === undefined || status.includes(view.status)) &&
    (repoKey === undefined || view.repo.key === repoKey) &&
    (deviceId === undefined || view.device.id === deviceId) &&
    (since === undefined || view.createdAt >= since) &&
    (words === "" || view.title.toLowerCase().includes(words) || view.prompt.toLowerCase().includes(words)) &&
    (cursor === null || isAfter(view, cursor));
}

const isAfter = (view: SessionView, { at, id }: Cursor): boolean =>
  view.createdAt < at || (view.createdAt === at && view.id < id);

// Times and ids are ASCII: the same text as a daemon's cursor, so that one goes on where the other ended.
const toCursor = ({ createdAt, id }: SessionView): string =>
  btoa(`${createdAt} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** A cursor that is not one of ours finds nothing rather than everything again. */
function fromCursor(cursor: string): Cursor {
  const [, at = "", id = ""] = /^([\dT:.Z-]+) ([\da-f-]+)$/.exec(decode(cursor)) ?? [];
  return { at, id };
}

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** Finds the session that a UUID, a prefix of four or more characters, a branch, `@last` or `@waiting` means. */
export function resolveRef(sessions: readonly SessionView[], ref: string): Resolved {
  const found = candidates([...sessions].sort(compareSessions), ref.trim());
  const only = found[0];
  if (only === undefined) return { ok: false, code: "not_found", candidates: [] };
  return found.length === 1 ? { ok: true, sessionId: only } : { ok: false, code: "ambiguous", candidates: found };
}

function candidates(sessions: readonly SessionView[], ref: string): string[] {
  const ids = (matches: (view: SessionView) => boolean): string[] =>
    sessions
      .filter(matches)
      .slice(0, CANDIDATES)
      .map(({ id }) => id);
  if (ref === "@last") return ids(() => true).slice(0, 1);
  if (ref === "@waiting") return ids(({ status }) => status === "awaiting_approval");
  const name = ref.toLowerCase();
  const exact = ids(({ id, branch }) => id === name || branch === ref);
  if (exact.length > 0) return exact;
  return /^[0-9a-f-]{4,36}$/.test(name) ? ids(({ id }) => id.startsWith(name)) : [];
}
