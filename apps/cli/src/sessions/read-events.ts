import type { EventQuery, EventView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";

export interface ReadEvents {
  sessionId: string;
  afterSeq: number;
  /** Only these types; all when empty. */
  types: readonly string[];
  /** Only the newest so many; all when absent. */
  newest?: number | undefined;
  raw: boolean;
}

const PAGE = 500;

/** The stored events of a session in order, page by page. */
export async function* readEvents(client: LocalClient, o: ReadEvents): AsyncGenerator<EventView> {
  const query: EventQuery = {
    sessionId: o.sessionId,
    afterSeq: o.afterSeq,
    limit: o.newest ?? PAGE,
    ...(o.types.length > 0 && { types: [...o.types] }),
    ...(o.raw && { raw: true }),
    ...(o.newest !== undefined && { newest: true }),
  };
  for (;;) {
    const { events } = await client.sessions.events.query(query);
    yield* events.filter((event) => event.seq > o.afterSeq);
    const last = events.at(-1);
    if (last === undefined || o.newest !== undefined || events.length < PAGE) return;
    query.afterSeq = last.seq;
  }
}
