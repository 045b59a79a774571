import type { PushBatch } from "@codehands/api/cloud";
import { LOG_KINDS } from "@codehands/contracts";
import { isSegmentAt, SEGMENT_FIELDS, uuidBytes } from "./sealed-header.ts";

/** A log's segments as columns, since there may be a thousand: the n-th of each belongs to the n-th segment. */
export interface PlannedSegments {
  from: number[];
  to: number[];
  keyEpoch: number[];
  /** Sealed bytes. */
  length: number[];
}

export interface PlannedLog {
  streamId: string;
  kind: number;
  writerEpoch: number;
  from: number;
  /** from − 1 for a deletion. */
  to: number;
  prevMac: Buffer;
  mac: Buffer;
  deleted: boolean;
  segments: PlannedSegments;
  /** The segments' bytes, one after the other. */
  blob: Buffer;
}

const KINDS: ReadonlySet<number> = new Set(Object.values(LOG_KINDS));
const NONE: PlannedSegments = { from: [], to: [], keyEpoch: [], length: [] };

/**
 * Cuts one log's bytes into its segments. Null when the sealed headers contradict the request: another writer, stream or
 * epoch, a gap between two segments, a chain that does not join, or bytes that are no segments.
 */
export function planLog(given: { device: string; asked: PushBatch["logs"][number]; blob: Buffer }): PlannedLog | null {
  const { device, asked, blob } = given;
  const prevMac = Buffer.from(asked.prevMac, "base64url");
  const mac = Buffer.from(asked.mac, "base64url");
  const streamId = asked.streamId.toLowerCase();
  if (asked.from < 1 || !KINDS.has(asked.kind)) return null;
  if (blob.length !== asked.lens.reduce((sum, length) => sum + length, 0)) return null;
  const log = { streamId, kind: asked.kind, writerEpoch: asked.writerEpoch, from: asked.from, prevMac, mac, blob };
  if (asked.deleted === true)
    return asked.lens.length === 0 ? { ...log, to: asked.from - 1, deleted: true, segments: NONE } : null;
  // The chain of every log begins with zeros (V19).
  if (asked.lens.length === 0 || (asked.from === 1 && prevMac.some((byte) => byte !== 0))) return null;
  const whose = Buffer.concat([uuidBytes(device), uuidBytes(streamId), Buffer.alloc(4)]);
  whose.writeUInt32BE(asked.writerEpoch, 32);
  const segments = cutSegments({ ...log, lens: asked.lens, whose });
  return segments === null ? null : { ...log, to: segments.to.at(-1) ?? 0, deleted: false, segments };
}

interface Uncut extends Pick<PlannedLog, "blob" | "from" | "prevMac" | "mac"> {
  lens: readonly number[];
  /** Writer, stream and writer epoch as they lie in every header, one behind the other. */
  whose: Buffer;
}

/** Reads the headers where they lie: objects and slices for a thousand of them would cost more than all else here. */
function cutSegments({ blob, lens, whose, from, prevMac, mac }: Uncut): PlannedSegments | null {
  const segments: PlannedSegments = { from: [], to: [], keyEpoch: [], length: [] };
  let [next, at] = [from, 0];
  let [chain, chainAt] = [prevMac, 0];
  for (const length of lens) {
    if (!isSegmentAt(blob, at, length)) return null;
    const first = blob.readUInt32BE(at + SEGMENT_FIELDS.from);
    const last = blob.readUInt32BE(at + SEGMENT_FIELDS.to);
    const whoseAt = at + SEGMENT_FIELDS.writer;
    const before = at + SEGMENT_FIELDS.before;
    const isNext = first === next && last >= first && blob.compare(whose, 0, 36, whoseAt, whoseAt + 36) === 0;
    if (!isNext || blob.compare(chain, chainAt, chainAt + 16, before, before + 16) !== 0) return null;
    segments.from.push(first);
    segments.to.push(last);
    segments.keyEpoch.push(blob.readUInt32BE(at + SEGMENT_FIELDS.keyEpoch));
    segments.length.push(length);
    next = last + 1;
    [chain, chainAt] = [blob, at + SEGMENT_FIELDS.after];
    at += length;
  }
  return chain.compare(mac, 0, 16, chainAt, chainAt + 16) === 0 ? segments : null;
}
