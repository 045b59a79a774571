import type { PushBatch } from "@codehands/api/cloud";
import { PUSH_LIMITS } from "@codehands/contracts";
import { type PlannedLog, planLog } from "./plan-push-log.ts";
import { type PlannedRecord, planRecord } from "./plan-push-record.ts";

/** What a push asks of the database. Items refused by their own words alone do not get there. */
export interface PushPlan {
  /** In stream order, as rows are locked. `index` is the place in the request. */
  logs: { index: number; log: PlannedLog }[];
  records: { index: number; record: PlannedRecord }[];
  refused: {
    logs: Map<number, "RANGE">;
    records: Map<number, "FORBIDDEN" | "TOO_LARGE" | "UNKNOWN_KIND" | "CONFLICT">;
  };
  /** Oldest key epoch of anything new in it; null when there is nothing, or when all was sealed before a restore. */
  keyEpoch: number | null;
}

/** Reads a push: what it holds, what its sealed headers say, and what contradicts itself. */
export function planPush(device: string, batch: PushBatch): { ok: true; plan: PushPlan } | { ok: false } {
  const blob = Buffer.from(batch.blob, "base64url");
  if (isTooLarge(batch, blob.length)) return { ok: false };
  const plan: PushPlan = { logs: [], records: [], refused: { logs: new Map(), records: new Map() }, keyEpoch: null };
  let at = 0;
  let events = 0;
  const streams = new Set<string>();
  for (const [index, asked] of batch.logs.entries()) {
    const bytes = asked.lens.reduce((sum, length) => sum + length, 0);
    const log = planLog({ device, asked, blob: blob.subarray(at, at + bytes) });
    at += bytes;
    if (log === null || streams.has(log.streamId)) plan.refused.logs.set(index, "RANGE");
    else plan.logs.push({ index, log });
    if (log !== null) events += log.to - log.from + 1;
    streams.add(asked.streamId.toLowerCase());
  }
  if (events > PUSH_LIMITS.events) return { ok: false };
  const names = new Set<string>();
  for (const [index, asked] of batch.records.entries()) {
    const planned = planRecord({ device, asked, again: batch.again === true });
    const name = `${asked.kind}:${asked.id.toLowerCase()}`;
    if (!planned.ok) plan.refused.records.set(index, planned.code);
    // Its base cannot be right any more.
    else if (names.has(name)) plan.refused.records.set(index, "CONFLICT");
    else plan.records.push({ index, record: planned.record });
    names.add(name);
  }
  plan.logs.sort((a, b) => (a.log.streamId < b.log.streamId ? -1 : 1));
  if (batch.again !== true) plan.keyEpoch = oldestKey(plan);
  return { ok: true, plan };
}

/** A single item may be as large as one can be; many together have the limit of a push. */
function isTooLarge(batch: PushBatch, blobBytes: number): boolean {
  const recordBytes = batch.records.reduce((sum, record) => sum + (record.body.length * 3) / 4, 0);
  const items = batch.records.length + batch.logs.reduce((sum, log) => sum + log.lens.length, 0);
  return items > PUSH_LIMITS.events || (items > 1 && blobBytes + recordBytes > PUSH_LIMITS.bytes);
}

function oldestKey(plan: PushPlan): number | null {
  const keys = [
    ...plan.logs.flatMap(({ log }) => log.segments.keyEpoch),
    ...plan.records.map(({ record }) => record.keyEpoch),
  ];
  return keys.length === 0 ? null : keys.reduce((low, key) => Math.min(low, key));
}
