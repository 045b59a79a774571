import { equalBytes, joinBytes } from "../bytes/join-bytes.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import type { RosterDevice } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";
import type { ReadAccess, WriteAccess } from "./access.ts";
import { chainEvents } from "./event-chain.ts";
import type { SegmentHeader } from "./header.ts";
import { SEAL_LIMITS } from "./limits.ts";
import { type ChainAt, type LogPosition, type PlacedSegment, placeBackward, placeForward } from "./place-segment.ts";
import { openItem, type SealedItem, sealItem } from "./seal-item.ts";
import { webCodec } from "./web-ports.ts";

const LINE_END = Uint8Array.of(0x0a);

export interface SegmentPlan {
  stream: string;
  writerEpoch: number;
  /** The seq of the first event. */
  from: number;
  /** c_{from−1}. */
  before: Uint8Array;
  /** The exact bytes of each event as the owner stored it: one line of UTF-8 JSON without its end. */
  events: readonly Uint8Array[];
  /**
   * The events' chain values as `chainEvents` gave them under the newest epoch, where the owner keeps them: they are
   * not computed again. Every reader computes them and refuses others.
   */
  values?: readonly Uint8Array[];
}

export interface SealedSegment extends SealedItem {
  header: SegmentHeader;
  /** c_from … c_to. */
  values: readonly Uint8Array[];
}

/**
 * Seals events under the newest epoch of the roster (V12, V14, V19). Throws TOO_LARGE (cut it and seal the pieces),
 * KEY_MISSING, BAD_FORMAT.
 */
export async function sealSegment(access: WriteAccess, plan: SegmentPlan): Promise<SealedSegment> {
  const { stream, writerEpoch, from, before, events } = plan;
  if (events.length === 0) fail("BAD_FORMAT", "a segment without events");
  if (events.length > SEAL_LIMITS.events) fail("TOO_LARGE", `${events.length} events`);
  if (events.some((event) => event.length === 0 || event.includes(0x0a))) fail("BAD_FORMAT", "an event is one line");
  const { epoch } = access.roster;
  const values = plan.values ?? (await chainEvents(access, { stream, epoch, before, from, events }));
  if (values.length !== events.length) fail("BAD_FORMAT", "a chain value for each event");
  const lines = joinBytes(...events.flatMap((event) => [event, LINE_END]));
  if (lines.length > SEAL_LIMITS.inflated) fail("TOO_LARGE", "events");
  const codec = access.compress === false ? 0 : 1;
  const range = { from, to: from + events.length - 1, before, after: values.at(-1) ?? before };
  const header: SegmentHeader = {
    type: "segment",
    codec,
    epoch,
    writer: access.device,
    stream,
    writerEpoch,
    ...range,
  };
  const body = codec === 0 ? lines : await (access.ports?.codec ?? webCodec).deflate(lines);
  return { ...(await sealItem(access, header, body)), header, values };
}

/** What was asked for, and what the reader holds. */
export interface SegmentPlace {
  stream: string;
  /** The log's writer: the same for ever. */
  writer: string;
  held: LogPosition;
  chainAt: ChainAt;
}

export interface OpenedSegment {
  header: SegmentHeader;
  hash: Uint8Array;
  /** Set when its writer is no member any more. */
  removed: RosterDevice["removed"];
  /** The seq of the first event given: what the reader holds already is left out. */
  from: number;
  events: Uint8Array[];
  /** A chain value for each event given. */
  values: Uint8Array[];
}

/** Opens a segment that continues or repeats what the reader holds (V15, V20). A repeat gives no events. */
export function openSegment(
  access: ReadAccess,
  item: Uint8Array,
  place: SegmentPlace,
): Promise<Outcome<OpenedSegment>> {
  return outcomeOf(async () => {
    const opened = await openLines(access, item, place);
    const skip = placeForward(opened, place.held, place.chainAt);
    return cut(opened, skip, opened.lines.length);
  });
}

/** What a reader holds at its left edge: the first event it has, and c of the one before. */
export interface LeftEdge {
  stream: string;
  writer: string;
  next: { from: number; before: Uint8Array };
}

/** Opens a segment that lies before what the reader holds, newest first (V20). */
export function openSegmentBefore(
  access: ReadAccess,
  item: Uint8Array,
  edge: LeftEdge,
): Promise<Outcome<OpenedSegment>> {
  return outcomeOf(async () => {
    const opened = await openLines(access, item, edge);
    return cut(opened, 0, placeBackward(opened, edge.next));
  });
}

interface Lines extends PlacedSegment {
  hash: Uint8Array;
  removed: RosterDevice["removed"];
  lines: Uint8Array[];
  values: Uint8Array[];
}

function cut({ header, hash, removed, lines, values }: Lines, start: number, end: number): OpenedSegment {
  const [events, kept] = [lines.slice(start, end), values.slice(start, end)];
  return { header, hash, removed, from: header.from + start, events, values: kept };
}

async function openLines(
  access: ReadAccess,
  item: Uint8Array,
  { stream, writer }: { stream: string; writer: string },
): Promise<Lines> {
  const opened = await openItem(access, item);
  const { header, hash } = opened;
  if (header.type !== "segment") fail("WRONG_PLACE", "a record where a segment was asked for");
  if (header.stream !== stream || header.writer !== writer) fail("WRONG_PLACE", "segment of another log or writer");
  const lines = splitLines(opened.body);
  if (lines.length !== header.to - header.from + 1 || lines.length > SEAL_LIMITS.events)
    fail("BAD_FORMAT", "number of events");
  const { epoch, before, from, after } = header;
  const values = await chainEvents(access, { stream, epoch, before, from, events: lines });
  if (!equalBytes(values.at(-1) ?? before, after)) fail("FORK", `chain at ${header.to}`);
  return { header, hash, removed: opened.writer.removed, lines, values };
}

function splitLines(body: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = body.indexOf(0x0a); end >= 0; end = body.indexOf(0x0a, start)) {
    lines.push(body.slice(start, end));
    start = end + 1;
  }
  return start === body.length ? lines : fail("BAD_FORMAT", "a last line without its end");
}
