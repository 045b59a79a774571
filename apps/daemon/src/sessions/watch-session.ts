import type { WatchFrame, WatchQuery } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { readNextEvents } from "./read-events.ts";
import { viewSession } from "./read-sessions.ts";
import type { SessionBus } from "./session-bus.ts";
import type { ViewContext } from "./session-view.ts";

const PAGE = 200;

/**
 * Every stored event after `afterSeq` once and in order, and the session whenever it changed, until `signal` aborts.
 * It reads the database page by page as fast as its reader takes them: the bus only wakes it, so a slow reader costs
 * no memory and loses nothing. Ends at once for an unknown session.
 */
export async function* watchSession(
  { store, bus, context }: { store: OpenDatabase; bus: SessionBus; context: ViewContext },
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<WatchFrame, void> {
  const { sessionId } = query;
  let afterSeq = query.afterSeq;
  let rev = -1;
  let news = true;
  let wake = () => {};
  const nudge = () => {
    news = true;
    wake();
  };
  const leave = bus.subscribe(sessionId, nudge);
  signal.addEventListener("abort", nudge);
  try {
    while (!signal.aborted) {
      news = false;
      // Read before the events: a session is never shown ahead of what happened in it.
      const session = viewSession(store, sessionId, context);
      // The sync has taken events back (S17): they come again under their new numbers.
      if (session !== null && session.lastSeq < afterSeq) afterSeq = session.lastSeq;
      for (let more = true; more && !signal.aborted; ) {
        const page = readNextEvents(store, { sessionId, afterSeq }, PAGE);
        for (const event of page) {
          yield { kind: "event", event };
          afterSeq = event.seq;
        }
        more = page.length === PAGE;
      }
      if (signal.aborted) return;
      if (session === null && rev === -1) return;
      if (session !== null && session.rev !== rev) {
        rev = session.rev;
        yield { kind: "session", session };
      }
      if (!news && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    leave();
    signal.removeEventListener("abort", nudge);
  }
}
