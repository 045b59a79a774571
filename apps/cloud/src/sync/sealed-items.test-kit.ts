import { createHash, randomBytes } from "node:crypto";
import type { PushBatch } from "@codehands/api/cloud";

const SEAL_REST = 12 + 16 + 64;

const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

/** What stands for the chain value after an event: zeros at the beginning, else made of stream, history and seq. */
export function macAt(streamId: string, seq: number, history = ""): Buffer {
  if (seq === 0) return Buffer.alloc(16);
  return createHash("sha256").update(`${streamId}${history}${seq}`).digest().subarray(0, 16);
}

export interface SegmentOptions {
  writer: string;
  streamId: string;
  from: number;
  to: number;
  writerEpoch?: number;
  keyEpoch?: number;
  /** Sealed bytes behind the header. */
  bytes?: number;
  history?: string;
}

/** A segment with a header as V13 says and noise for the sealed part: the cloud cannot tell. */
export function makeSegment(options: SegmentOptions): Buffer {
  const { writer, streamId, from, to, history } = options;
  const header = Buffer.alloc(84);
  header.set([1, 1, 1, 0]);
  header.writeUInt32BE(options.keyEpoch ?? 1, 4);
  header.set(uuidBytes(writer), 8);
  header.set(uuidBytes(streamId), 24);
  header.writeUInt32BE(options.writerEpoch ?? 1, 40);
  header.writeUInt32BE(from, 44);
  header.writeUInt32BE(to, 48);
  header.set(macAt(streamId, from - 1, history), 52);
  header.set(macAt(streamId, to, history), 68);
  return Buffer.concat([header, randomBytes(SEAL_REST + (options.bytes ?? 64))]);
}

export interface LogOptions extends Omit<SegmentOptions, "to"> {
  /** How many events, one segment for each `perSegment` of them. */
  events: number;
  perSegment?: number;
  kind?: number;
}

/** One log of a push and its bytes. */
export function makeLog(options: LogOptions): { log: PushBatch["logs"][number]; blob: Buffer } {
  const { from, events, streamId, history } = options;
  const last = from + events - 1;
  const segments: Buffer[] = [];
  for (let first = from; first <= last; first += options.perSegment ?? events)
    segments.push(
      makeSegment({ ...options, from: first, to: Math.min(last, first + (options.perSegment ?? events) - 1) }),
    );
  return {
    log: {
      streamId,
      kind: options.kind ?? 1,
      writerEpoch: options.writerEpoch ?? 1,
      from,
      prevMac: macAt(streamId, from - 1, history).toString("base64url"),
      lens: segments.map((segment) => segment.length),
      mac: macAt(streamId, last, history).toString("base64url"),
    },
    blob: Buffer.concat(segments),
  };
}

export interface RecordOptions {
  writer: string;
  kind: number;
  id: string;
  base?: number;
  rev?: number;
  keyEpoch?: number;
  deleted?: boolean;
  bytes?: number;
}

/** One record of a push. */
export function makeRecord(options: RecordOptions): PushBatch["records"][number] {
  const { writer, kind, id } = options;
  const header = Buffer.alloc(54);
  header.set([1, 2, 0, options.deleted === true ? 1 : 0]);
  header.writeUInt32BE(options.keyEpoch ?? 1, 4);
  header.set(uuidBytes(writer), 8);
  header.writeUInt16BE(kind, 24);
  header.set(uuidBytes(id), 26);
  header.writeUInt32BE(options.rev ?? 1, 42);
  const body = Buffer.concat([header, randomBytes(SEAL_REST + (options.bytes ?? 64))]);
  return { kind, id, base: options.base ?? 0, body: body.toString("base64url") };
}
