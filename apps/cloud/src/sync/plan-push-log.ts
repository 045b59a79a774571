import type { PushBatch } from "@codehands/api/cloud";
import { LOG_KINDS } from "@codehands/contracts";
import { parseSegmentHeader, uuidBytes } from "./sealed-header.ts";

export interface PlannedSegment {
  from: number;
  to: number;
  keyEpoch: number;
  body: Buffer;
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
  segments: PlannedSegment[];
}

const KINDS: ReadonlySet<number> = new Set(Object.values(LOG_KINDS));

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
  const log = { streamId, kind: asked.kind, writerEpoch: asked.writerEpoch, from: asked.from, prevMac, mac };
  if (asked.deleted === true)
    return asked.lens.length === 0 ? { ...log, to: asked.from - 1, deleted: true, segments: [] } : null;
  // The chain of every log begins with zeros (V19).
  if (asked.lens.length === 0 || (asked.from === 1 && prevMac.some((byte) => byte !== 0))) return null;

  const [writerId, stream] = [uuidBytes(device), uuidBytes(streamId)];
  const segments: PlannedSegment[] = [];
  let next = asked.from;
  let chain: Buffer = prevMac;
  let at = 0;
  for (const length of asked.lens) {
    const body = blob.subarray(at, at + length);
    at += length;
    const header = parseSegmentHeader(body);
    if (header === null) return null;
    const { writer, from, to, before, after, keyEpoch } = header;
    const isHere =
      writer.equals(writerId) && header.streamId.equals(stream) && header.writerEpoch === asked.writerEpoch;
    if (!isHere || from !== next || to < from || !before.equals(chain)) return null;
    segments.push({ from, to, keyEpoch, body });
    next = to + 1;
    chain = after;
  }
  return chain.equals(mac) ? { ...log, to: next - 1, deleted: false, segments } : null;
}
