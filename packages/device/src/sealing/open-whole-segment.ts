import type { Segment } from "@codehands/contracts";
import type { ChainedEvent } from "@codehands/sync";
import {
  fromBase64url,
  inspectItem,
  type Outcome,
  openSegmentBefore,
  type ReadAccess,
  toBase64url,
} from "@codehands/vault";

/**
 * Opens a segment whole and proves it: writer, signature, seal, its own chain, and that it is what it was called (V15,
 * V20). Whether it joins what is held is for whoever holds it.
 */
export async function openWholeSegment(
  access: ReadAccess,
  segment: Segment,
  writer: string,
): Promise<Outcome<ChainedEvent[]>> {
  const item = fromBase64url(segment.body);
  const facts = await inspectItem(item);
  if (!facts.ok) return facts;
  const { header } = facts.value;
  const isCalled =
    header.type === "segment" &&
    header.from === segment.fromSeq &&
    header.to === segment.toSeq &&
    toBase64url(header.before) === segment.prevMac &&
    toBase64url(header.after) === segment.mac;
  if (!isCalled) return { ok: false, code: "WRONG_PLACE", reason: "a segment that is another one than it was called" };
  if (header.writerEpoch < 1) return { ok: false, code: "ROLLBACK", reason: "writer epoch 0" };
  const next = { from: header.to + 1, before: header.after };
  const opened = await openSegmentBefore(access, item, { stream: segment.streamId, writer, next });
  if (!opened.ok) return opened;
  const { from, events, values } = opened.value;
  return chained({ streamId: segment.streamId, from, events, values });
}

function chained({
  streamId,
  from,
  events,
  values,
}: {
  streamId: string;
  from: number;
  events: readonly Uint8Array[];
  values: readonly Uint8Array[];
}): Outcome<ChainedEvent[]> {
  // Lines are kept as they are, so they have to be text that comes back as the same bytes.
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const opened: ChainedEvent[] = [];
  for (const [at, bytes] of events.entries()) {
    const seq = from + at;
    try {
      const line = text.decode(bytes);
      opened.push({ seq, id: eventId(streamId, seq, line), mac: toBase64url(values[at] ?? new Uint8Array(0)), line });
    } catch {
      return { ok: false, code: "BAD_FORMAT", reason: `event ${seq} is no text` };
    }
  }
  return { ok: true, value: opened };
}

/** The id that an event's line names; its place, where it names none: the slices of a change. */
export function eventId(streamId: string, seq: number, line: string): string {
  try {
    const { id } = JSON.parse(line) as { id?: unknown };
    if (typeof id === "string" && id !== "") return id;
  } catch {
    // An event of another version is kept as it is.
  }
  return `${streamId}:${seq}`;
}
