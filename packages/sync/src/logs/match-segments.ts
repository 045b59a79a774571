import type { ChainedEvent } from "../ports/held-log.ts";

export interface OpenedSegment {
  fromSeq: number;
  prevMac: string;
  events: readonly ChainedEvent[];
}

export interface Match {
  lastSeq: number;
  /** Own chain value at a seq; null where there is none. */
  ownMac: (seq: number) => string | null;
  /** What was asked for. */
  after: number;
  segments: readonly OpenedSegment[];
}

export type Matched =
  /** Not on common ground: ask again further back. `stale`: even the beginning does not fit, so the row is old. */
  | { do: "look-back"; after: number; stale: boolean }
  /** All of it is held already: ask from its end. */
  | { do: "look-on"; after: number }
  /** Equal up to `keep`; `events` follow in the cloud. */
  | { do: "adopt"; keep: number; events: readonly ChainedEvent[] };

/** S18, S19: where the segments of the cloud join the own log. */
export function matchSegments({ lastSeq, ownMac, after, segments }: Match): Matched {
  const first = segments[0];
  if (!first || first.fromSeq > lastSeq + 1 || ownMac(first.fromSeq - 1) !== first.prevMac) {
    const at = Math.min(first ? first.fromSeq - 1 : after, after, lastSeq);
    return { do: "look-back", after: Math.floor(at / 2), stale: !first || after === 0 };
  }
  const theirs = joined(segments);
  const differs = theirs.findIndex((event) => ownMac(event.seq) !== event.mac);
  const other = theirs[differs];
  if (!other) return { do: "look-on", after: theirs.at(-1)?.seq ?? first.fromSeq - 1 };
  return { do: "adopt", keep: other.seq - 1, events: theirs.slice(differs) };
}

/** The events up to the first place where a segment does not follow the one before. */
function joined(segments: readonly OpenedSegment[]): ChainedEvent[] {
  const events: ChainedEvent[] = [];
  for (const segment of segments) {
    const last = events.at(-1);
    if (last && (segment.fromSeq !== last.seq + 1 || segment.prevMac !== last.mac)) break;
    events.push(...segment.events);
  }
  return events;
}
