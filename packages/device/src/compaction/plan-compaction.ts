import { PUSH_LIMITS } from "@codehands/contracts";
import type { CloudSegment } from "./segment-ledger.ts";

/** A range of events that becomes one segment. */
export interface CompactionRange {
  from: number;
  to: number;
}

/** What is worth a compaction. */
export interface CompactionGain {
  /** At least so many segments become one. */
  least: number;
  /** The largest of them holds at most this part of the bytes, so that no event is sealed again and again. */
  share: number;
}

/** A log that grows: each compaction makes segments at least eight times as large, so an event is moved four times. */
export const WHILE_IT_GROWS: CompactionGain = { least: 16, share: 1 / 8 };
/** A log at which nothing works any more: most likely it is for good. */
export const AT_REST: CompactionGain = { least: 4, share: 1 / 2 };

/** Sealed without compression and padded, so many bytes of lines still fit into what the cloud takes as one segment. */
export const MOST_BYTES = 700_000;

/**
 * S20, V12: which neighbouring segments of one key epoch become one, first ones first; at most PUSH_LIMITS events and
 * MOST_BYTES. Segments of which the bytes are not known are left as they are. `segments` are in the order of their numbers.
 */
export function planCompaction(segments: readonly CloudSegment[], gain: CompactionGain): CompactionRange[] {
  const ranges: CompactionRange[] = [];
  for (let at = 0; at < segments.length; ) {
    const end = longestRun(segments, at, gain);
    const [first, last] = [segments[at], segments[end]];
    if (end >= 0 && first && last) ranges.push({ from: first.from, to: last.to });
    at = end < 0 ? at + 1 : end + 1;
  }
  return ranges;
}

/** Where the longest run that is worth it ends; −1: none begins here. */
function longestRun(segments: readonly CloudSegment[], at: number, { least, share }: CompactionGain): number {
  const first = segments[at];
  if (!first) return -1;
  let [bytes, largest, end, next] = [0, 0, -1, first.from];
  for (const [n, one] of segments.slice(at).entries()) {
    if (one.bytes === null || one.epoch !== first.epoch || one.from !== next) break;
    next = one.to + 1;
    bytes += one.bytes;
    largest = Math.max(largest, one.bytes);
    if (bytes > MOST_BYTES || next - first.from > PUSH_LIMITS.events) break;
    if (n + 1 >= least && largest <= share * bytes) end = at + n;
  }
  return end;
}
