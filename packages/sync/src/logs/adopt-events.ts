import type { Draft } from "../feed/draft.ts";
import type { ChainedEvent, HeldLog, WaitingEvent } from "../ports/held-log.ts";
import { appendChained } from "./append-events.ts";

export interface Adoption {
  log: HeldLog;
  keep: number;
  events: readonly ChainedEvent[];
  /** What waits in this log now, and what is cut from it. */
  waiting: readonly WaitingEvent[];
  cut: readonly WaitingEvent[];
}

/** S17: the cloud's events take the place of what differs, which waits (owner) or is kept as orphans (reader). */
export function adoptEvents(draft: Draft, { log, keep, events, waiting, cut }: Adoption): void {
  const own = log.writer === draft.state.deviceId;
  let next = log;
  if (cut.length > 0) {
    draft.write({ op: "cut", streamId: log.streamId, after: keep, to: own ? "waiting" : "orphans" });
    next = {
      ...log,
      lastSeq: keep,
      pushedSeq: Math.min(log.pushedSeq, keep),
      finalSeq: Math.min(log.finalSeq, keep),
      waiting: log.waiting + (own ? cut.length : 0),
      generation: log.generation + 1,
    };
  }
  const theirs = new Set(events.map((event) => event.id));
  const came = [...waiting, ...(own ? cut : [])].filter((event) => theirs.has(event.id)).map((event) => event.id);
  if (came.length > 0) draft.write({ op: "unwait", streamId: log.streamId, ids: came });
  const lastSeq = keep + events.length;
  appendChained(
    draft,
    { ...next, waiting: next.waiting - came.length, pushedSeq: lastSeq, finalSeq: Math.max(next.finalSeq, lastSeq) },
    events,
  );
}
