import { readNumber, u16, u32, u64 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { uuidBytes, uuidText } from "../bytes/uuid.ts";
import { fail } from "../vault-error.ts";
import { paddedLength, SEAL_LIMITS } from "./limits.ts";

interface ItemHeader {
  /** 0 none, 1 deflate-raw. */
  codec: 0 | 1;
  /** Of the key it is sealed with. */
  epoch: number;
  writer: string;
}

export interface SegmentHeader extends ItemHeader {
  type: "segment";
  /** The session's id, or the stream of a change. */
  stream: string;
  writerEpoch: number;
  from: number;
  to: number;
  /** Chain values c_{from−1} and c_to, 16 bytes each. */
  before: Uint8Array;
  after: Uint8Array;
}

export interface RecordHeader extends ItemHeader {
  type: "record";
  deleted: boolean;
  kind: number;
  id: string;
  rev: number;
  /** The writing device's own counter over all its records. */
  n: number;
}

export type Header = SegmentHeader | RecordHeader;

const FORMAT = 1;
const TYPES = { segment: 1, record: 2 } as const;
const HEADER_BYTES = { segment: 84, record: 54 } as const;
const NONCE = 12;
const TAG = 16;
const SIGNATURE = 64;
const AROUND = NONCE + TAG + SIGNATURE;
const BODY = { segment: SEAL_LIMITS.segmentBody, record: SEAL_LIMITS.recordBody } as const;

const largest = (type: Header["type"]): number => HEADER_BYTES[type] + AROUND + paddedLength(4 + BODY[type]);
const smallest = (type: Header["type"]): number => HEADER_BYTES[type] + AROUND + paddedLength(0);

/** A header as it stands before the seal (V13). */
export function writeHeader(header: Header): Uint8Array {
  const { type, codec, epoch, writer } = header;
  const flags = type === "record" && header.deleted ? 1 : 0;
  const start = [Uint8Array.of(FORMAT, TYPES[type], codec, flags), u32(epoch), uuidBytes(writer)];
  if (header.type === "record") {
    const { kind, id, rev, n } = header;
    return joinBytes(...start, u16(kind), uuidBytes(id), u32(rev), u64(n));
  }
  const { stream, writerEpoch, from, to, before, after } = header;
  if (before.length !== 16 || after.length !== 16) fail("BAD_FORMAT", "chain value");
  return joinBytes(...start, uuidBytes(stream), u32(writerEpoch), u32(from), u32(to), before, after);
}

/** A sealed item, taken apart; nothing of it is proved yet. */
export interface ItemParts {
  header: Header;
  head: Uint8Array;
  nonce: Uint8Array;
  ct: Uint8Array;
  signature: Uint8Array;
  /** Everything before the signature. */
  signed: Uint8Array;
}

/** Takes an item apart: the first two steps of V15. Throws TOO_LARGE, BAD_FORMAT, UNKNOWN_FORMAT. */
export function splitItem(given: Uint8Array): ItemParts {
  // A Buffer of Node gives views where others give copies: what is handed on is to be neither a Buffer nor shared.
  const item = new Uint8Array(given.buffer, given.byteOffset, given.length);
  if (item.length > largest("segment")) fail("TOO_LARGE", "item");
  if (item.length < smallest("record")) fail("BAD_FORMAT", "short item");
  const [format, type, codec, flags] = item;
  if (format !== FORMAT) fail("UNKNOWN_FORMAT", `format ${format}`);
  const name = type === TYPES.segment ? "segment" : type === TYPES.record ? "record" : null;
  if (name === null) fail("UNKNOWN_FORMAT", `type ${type}`);
  if (codec !== 0 && codec !== 1) fail("UNKNOWN_FORMAT", `codec ${codec}`);
  if (flags !== 0 && !(flags === 1 && name === "record")) fail("UNKNOWN_FORMAT", `flags ${flags}`);
  if (item.length > largest(name)) fail("TOO_LARGE", name);
  if (item.length < smallest(name)) fail("BAD_FORMAT", "short item");
  const head = item.slice(0, HEADER_BYTES[name]);
  const signed = item.slice(0, -SIGNATURE);
  return {
    header: readHeader(name, codec, head),
    head,
    nonce: signed.slice(head.length, head.length + NONCE),
    ct: signed.slice(head.length + NONCE),
    signature: item.slice(-SIGNATURE),
    signed,
  };
}

function readHeader(type: Header["type"], codec: 0 | 1, head: Uint8Array): Header {
  const number = (at: number, size: number): number => readNumber(head, at, size);
  const id = (at: number): string => uuidText(head.slice(at, at + 16));
  const start = { codec, epoch: number(4, 4), writer: id(8) };
  if (type === "record") {
    const fields = { kind: number(24, 2), id: id(26), rev: number(42, 4), n: number(46, 8) };
    return { type, ...start, deleted: head[3] === 1, ...fields };
  }
  const range = { from: number(44, 4), to: number(48, 4) };
  const chain = { before: head.slice(52, 68), after: head.slice(68, 84) };
  return { type, ...start, stream: id(24), writerEpoch: number(40, 4), ...range, ...chain };
}

/** Throws BAD_FORMAT for counters that no honest writer writes: they all begin at 1, and a range has an event. */
export function checkCounters(header: Header): void {
  const isRange = header.type === "segment" && header.from >= 1 && header.to >= header.from;
  const isChange = header.type === "record" && header.rev >= 1 && header.n >= 1;
  if (header.epoch === 0 || !(isRange || isChange)) fail("BAD_FORMAT", "counters");
}
