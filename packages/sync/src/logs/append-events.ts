import type { Draft } from "../feed/draft.ts";
import type { ChainedEvent, HeldLog, WaitingEvent } from "../ports/held-log.ts";
import { SyncError } from "../sync-error.ts";

/** Puts events with their numbers at the end of a log; throws `broken_store` for any number but the next. */
export function appendChained(draft: Draft, log: HeldLog, events: readonly ChainedEvent[]): HeldLog {
  let next = log.lastSeq + 1;
  for (const event of events)
    if (event.seq !== next++) throw new SyncError("broken_store", `Event ${event.seq} does not follow ${next - 2}.`);
  const last = events.at(-1);
  const grown = last ? { ...log, lastSeq: last.seq, tailMac: last.mac } : log;
  if (last) draft.write({ op: "append", streamId: log.streamId, events });
  draft.putLog(grown);
  return grown;
}

/** What a device wrote: with numbers when nothing waits, else behind what waits (S17). */
export type OwnEvents = { chained: readonly ChainedEvent[] } | { waiting: readonly WaitingEvent[] };

/** S17: a local append. It marks the log as written here, whoever its writer is now. */
export function appendOwn(draft: Draft, log: HeldLog, events: OwnEvents): void {
  const mine = { ...log, mine: true };
  if ("chained" in events && log.waiting === 0) {
    appendChained(draft, mine, events.chained);
    return;
  }
  const waiting = "chained" in events ? events.chained.map(({ id, line }) => ({ id, line })) : events.waiting;
  draft.write({ op: "wait", streamId: log.streamId, events: waiting });
  draft.putLog({ ...mine, waiting: log.waiting + waiting.length });
}
