import type { Draft } from "../feed/draft.ts";
import { CHAIN_START, type HeldLog, isMisnamed } from "../ports/held-log.ts";
import type { LogView } from "../ports/store.ts";

/** The last seq that the cloud has or ever acknowledged: up to it others may know the chain values. */
export const lastSent = ({ pushedSeq, finalSeq, row }: HeldLog): number =>
  Math.max(pushedSeq, finalSeq, row?.lastSeq ?? 0);

/** An own log with events that were never acknowledged, on common ground with the cloud (S33). Asked at head only. */
export function hasUnsent(log: LogView, deviceId: string): boolean {
  const { row } = log;
  if (log.writer !== deviceId || isMisnamed(log) || log.dead || log.lastSeq <= lastSent(log)) return false;
  return row === null || (!row.deleted && log.atRow === row.tailMac);
}

/**
 * V12, V19: the key has changed, so events that were never acknowledged are to be chained anew: they wait, in front of
 * what waits already, and get the same numbers back when they join (T3). No `generation` grows: ids, numbers and lines
 * stay. What was acknowledged once keeps its chain values, also where a restored cloud lost it (S25). Asked at head only;
 * the draft's view must hold the log and its event `lastSent`. False: nothing is to be done, nothing was written.
 */
export function rechainUnsent(draft: Draft, streamId: string): boolean {
  const seen = draft.view.logs.get(streamId);
  const log = draft.log(streamId);
  if (!seen || !log || !hasUnsent(seen, draft.state.deviceId)) return false;
  const at = lastSent(seen);
  const tailMac = at === 0 ? CHAIN_START : draft.view.events.find((event) => event.seq === at)?.mac;
  if (tailMac === undefined) return false;
  draft.write({ op: "cut", streamId, after: at, to: "waiting" });
  draft.putLog({ ...log, lastSeq: at, tailMac, waiting: log.waiting + log.lastSeq - at });
  return true;
}
