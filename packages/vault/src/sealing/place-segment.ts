import { equalBytes } from "../bytes/join-bytes.ts";
import { fail } from "../vault-error.ts";
import { CHAIN_START } from "./event-chain.ts";
import type { SegmentHeader } from "./header.ts";

/** How far a reader holds a log. */
export interface LogPosition {
  writerEpoch: number;
  /** 0 when nothing is held. */
  last: number;
  tail: Uint8Array;
}

/** A log of which nothing is held yet. */
export const LOG_START: LogPosition = { writerEpoch: 0, last: 0, tail: CHAIN_START };

/** The reader's own chain value at a seq, or null where it holds no event. */
export type ChainAt = (seq: number) => Uint8Array | null;

export interface PlacedSegment {
  header: SegmentHeader;
  /** Recomputed values of its events, the first at `header.from`. */
  values: readonly Uint8Array[];
}

const valueAt = ({ header, values }: PlacedSegment, seq: number): Uint8Array | null =>
  seq === header.from - 1 ? header.before : (values[seq - header.from] ?? null);

const differs = (a: Uint8Array | null, b: Uint8Array | null): boolean => a !== null && b !== null && !equalBytes(a, b);

/**
 * Reading forward (V20): how many of a segment's first events the reader holds already; all of them in a repeat.
 * Throws ROLLBACK, GAP or FORK. What is held is never replaced.
 */
export function placeForward(segment: PlacedSegment, held: LogPosition, chainAt: ChainAt): number {
  const { from, to, writerEpoch } = segment.header;
  if (writerEpoch < held.writerEpoch) fail("ROLLBACK", `writer epoch ${writerEpoch} after ${held.writerEpoch}`);
  if (from > held.last + 1) fail("GAP", `from ${from} after ${held.last}`);
  const own = (seq: number): Uint8Array | null =>
    seq === 0 ? CHAIN_START : seq === held.last ? held.tail : chainAt(seq);
  const join = Math.min(to, held.last);
  if (join >= from && own(join) === null) fail("GAP", `nothing is held at ${join}`);
  // Values are recomputed from the segment's left edge: where one agrees, all before it do.
  if (differs(valueAt(segment, join), own(join))) fail("FORK", `at ${join}`);
  return Math.max(0, join - from + 1);
}

/**
 * Reading backward: how many of a segment's events lie before `next.from`, whose chain value before it is held.
 * Throws GAP when it does not reach there, and FORK.
 */
export function placeBackward(segment: PlacedSegment, next: { from: number; before: Uint8Array }): number {
  const { from, to } = segment.header;
  const join = next.from - 1;
  if (to < join || from > join) fail("GAP", `${from} to ${to} does not reach ${join}`);
  if (differs(valueAt(segment, join), next.before)) fail("FORK", `at ${join}`);
  if (from === 1 && differs(segment.header.before, CHAIN_START)) fail("FORK", "at 0");
  return join - from + 1;
}
