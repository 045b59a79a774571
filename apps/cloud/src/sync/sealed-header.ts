/** What stands before a sealed item in clear (V13). The cloud reads this much and no more. */

export interface SegmentHeader {
  keyEpoch: number;
  /** Ids as 16 bytes. */
  writer: Buffer;
  streamId: Buffer;
  writerEpoch: number;
  from: number;
  to: number;
  /** Chain values before and after, 16 bytes each. */
  before: Buffer;
  after: Buffer;
}

export interface RecordHeader {
  deleted: boolean;
  keyEpoch: number;
  writer: string;
  kind: number;
  id: string;
  rev: number;
}

const FORMAT = 1;
const TYPE = { segment: 1, record: 2 } as const;
const SEGMENT_BYTES = 84;
const RECORD_BYTES = 54;
/** Nonce, tag and signature. */
const REST_BYTES = 12 + 16 + 64;

/** Where each field of a segment's header begins, counted from the segment's first byte. The order is the format's. */
export const SEGMENT_FIELDS = {
  keyEpoch: 4,
  writer: 8,
  stream: 24,
  writerEpoch: 40,
  from: 44,
  to: 48,
  before: 52,
  after: 68,
} as const;

/** True when a segment of format 1 can lie there. */
export const isSegmentAt = (blob: Buffer, at: number, length: number): boolean =>
  length >= SEGMENT_BYTES + REST_BYTES && blob[at] === FORMAT && blob[at + 1] === TYPE.segment;

/** The header of a sealed segment; null when these bytes are none of format 1. */
export function parseSegmentHeader(item: Buffer): SegmentHeader | null {
  if (!isSegmentAt(item, 0, item.length)) return null;
  const bytes = (field: "writer" | "stream" | "before" | "after"): Buffer =>
    item.subarray(SEGMENT_FIELDS[field], SEGMENT_FIELDS[field] + 16);
  return {
    keyEpoch: item.readUInt32BE(SEGMENT_FIELDS.keyEpoch),
    writer: bytes("writer"),
    streamId: bytes("stream"),
    writerEpoch: item.readUInt32BE(SEGMENT_FIELDS.writerEpoch),
    from: item.readUInt32BE(SEGMENT_FIELDS.from),
    to: item.readUInt32BE(SEGMENT_FIELDS.to),
    before: bytes("before"),
    after: bytes("after"),
  };
}

/** The header of a sealed record; null when these bytes are none of format 1. */
export function parseRecordHeader(item: Buffer): RecordHeader | null {
  if (item.length < RECORD_BYTES + REST_BYTES || item[0] !== FORMAT || item[1] !== TYPE.record) return null;
  return {
    deleted: ((item[3] ?? 0) & 1) === 1,
    keyEpoch: item.readUInt32BE(4),
    writer: uuidAt(item, 8),
    kind: item.readUInt16BE(24),
    id: uuidAt(item, 26),
    rev: item.readUInt32BE(42),
  };
}

/** The 16 bytes of an id. */
export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function uuidAt(item: Buffer, at: number): string {
  const hex = item.toString("hex", at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
