import type { EventPage, EventQuery, EventView } from "@codehands/api";
import { LOG_KINDS } from "@codehands/contracts";
import type { ChainedEvent, HeldLog } from "@codehands/sync";
import { DeviceError } from "../device-error.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { eventOf } from "./event-line.ts";
import { openLog } from "./follow-log.ts";
import type { SignedSession } from "./read-session.ts";
import { waitForCommit } from "./wait-for-commit.ts";

/** How long events that the cloud has told of are waited for. */
const PATIENCE_MS = 5_000;
/** Pages that are looked through for rare types. */
const PAGE = 500;

/**
 * A page of a session's events. Reading opens the log: what is missing is fetched, and waited for some seconds. The
 * newest ones are fetched by themselves while the many before them come.
 */
export async function readEvents(deps: ReplicaDeps, session: SignedSession, query: EventQuery): Promise<EventPage> {
  const streamId = session.view.id;
  const { writer } = session;
  if (await openLog(deps.store, { streamId, kind: LOG_KINDS.session, writer })) deps.changed();
  const log = await deps.store.logOf(streamId);
  const end = endOf(log);
  const wants = (event: EventView): boolean => query.types === undefined || query.types.includes(event.type);
  const events = query.newest
    ? await readNewest(deps, { session, end, query, wants })
    : await readForward(deps, { session, end, query, wants });
  return { events, lastSeq: Math.max(end, endOf(await deps.store.logOf(streamId)), session.view.lastSeq) };
}

/** How far a log reaches, here or in the cloud. */
const endOf = (log: HeldLog | null): number =>
  log === null || log.dead ? 0 : Math.max(log.lastSeq, log.row?.deleted ? 0 : (log.row?.lastSeq ?? 0));

interface Reading {
  session: SignedSession;
  /** The last seq that is known of. */
  end: number;
  query: EventQuery;
  wants: (event: EventView) => boolean;
}

async function readForward({ store }: ReplicaDeps, { session, end, query, wants }: Reading): Promise<EventView[]> {
  const streamId = session.view.id;
  const found: EventView[] = [];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let after = query.afterSeq;
  while (found.length < query.limit && after < end) {
    const size = query.types === undefined ? query.limit : PAGE;
    const page = await waitForCommit<ChainedEvent[]>({
      store,
      concerns: ({ logs }) => logs.includes(streamId),
      look: async () => {
        const events = await store.eventsOf({ streamId, after, limit: size });
        return events.length >= Math.min(size, end - after) ? events : null;
      },
      ms: PATIENCE_MS,
      signal,
    });
    const events = page ?? (await store.eventsOf({ streamId, after, limit: size }));
    for (const event of events) {
      if (found.length === query.limit) return found;
      const view = eventOf(streamId, event);
      if (wants(view)) found.push(view);
    }
    if (page === null) break;
    after = events.at(-1)?.seq ?? end;
  }
  return found;
}

async function readNewest(deps: ReplicaDeps, { session, end, query, wants }: Reading): Promise<EventView[]> {
  const streamId = session.view.id;
  const found: EventView[] = [];
  let before = end + 1;
  while (found.length < query.limit && before > query.afterSeq + 1) {
    const size = query.types === undefined ? query.limit - found.length : PAGE;
    const page = await pageBefore(deps, { session, before, limit: size });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const event of page.toReversed()) {
      if (event.seq <= query.afterSeq || found.length === query.limit) break;
      const view = eventOf(streamId, event);
      if (wants(view)) found.push(view);
    }
    before = page[0]?.seq ?? 1;
  }
  return found.reverse();
}

interface PageBefore {
  session: SignedSession;
  before: number;
  limit: number;
}

/** Events before a seq, the oldest first: from here when they are here, else from the cloud, proved on their chain. */
async function pageBefore(deps: ReplicaDeps, { session, before, limit }: PageBefore): Promise<ChainedEvent[]> {
  const streamId = session.view.id;
  const log = await deps.store.logOf(streamId);
  const held = log?.lastSeq ?? 0;
  const here = (): Promise<ChainedEvent[]> => {
    const end = Math.min(before - 1, held);
    const after = Math.max(0, end - limit);
    return deps.store.eventsOf({ streamId, after, limit: end - after });
  };
  if (held >= before - 1) return here();
  try {
    const events = await deps.eventsBefore({ streamId, writer: session.writer, before, limit });
    if (events.length > 0) return events;
  } catch (error) {
    // What does not fit is told where there is nothing else to show; a session that has some carries a warning.
    if (error instanceof DeviceError && held === 0) throw new DeviceError("not_found", error.message, { cause: error });
    // Without the cloud, the newest that are here are the newest there are.
  }
  return here();
}
