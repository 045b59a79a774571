/** What stands before a sealed item in clear (V13). The cloud reads this much and no more. */

export interface SegmentHeader {
  keyEpoch: number;
  /** Ids as 16 bytes: there may be a thousand in a push. */
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

/** The header of a sealed segment; null when these bytes are none of format 1. */
export function parseSegmentHeader(item: Buffer): SegmentHeader | null {
  if (item.length < SEGMENT_BYTES + REST_BYTES || item[0] !== FORMAT || item[1] !== TYPE.segment) return null;
  return {
    keyEpoch: item.readUInt32BE(4),
    writer: item.subarray(8, 24),
    streamId: item.subarray(24, 40),
    writerEpoch: item.readUInt32BE(40),
    from: item.readUInt32BE(44),
    to: item.readUInt32BE(48),
    before: item.subarray(52, 68),
    after: item.subarray(68, 84),
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
