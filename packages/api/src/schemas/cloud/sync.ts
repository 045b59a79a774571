/** Contract C3 as it crosses the wire. What is sealed is opaque here. */
import type { PullPage, PullRequest, PushReply, PushRequest, Segment, SyncReset } from "@codehands/contracts";
import { PUSH_CODES, PUSH_LIMITS } from "@codehands/contracts";
import * as z from "zod";
import { bytes16, bytesOf, bytesUpTo, count, instant, seq, uuid } from "./wire.ts";

/** A sealed item may be a little larger than what it holds: header, padding, tag and signature. */
const SEALED_RECORD_BYTES = 296 * 1024;
const SEALED_SEGMENT_BYTES = PUSH_LIMITS.bytes + 64 * 1024;
const kind = z.number().int().min(0).max(0xffff);

const recordRow = z.object({
  kind,
  id: uuid,
  version: count,
  rev: count,
  mac: bytes16,
  keyId: count,
  body: bytesUpTo(SEALED_RECORD_BYTES),
  deleted: z.boolean(),
  writer: uuid,
  receivedAt: instant,
});
const logRow = z.object({
  streamId: uuid,
  kind,
  writer: uuid,
  writerEpoch: count,
  lastSeq: seq,
  tailMac: bytes16,
  version: count,
  deleted: z.boolean(),
});
export const segment = z.object({
  streamId: uuid,
  fromSeq: seq,
  toSeq: seq,
  prevMac: bytes16,
  mac: bytes16,
  keyId: count,
  body: bytesUpTo(SEALED_SEGMENT_BYTES),
}) satisfies z.ZodType<Segment>;

export const pullPage = z.object({
  from: count,
  rows: z.array(
    z.discriminatedUnion("row", [
      recordRow.extend({ row: z.literal("record") }),
      logRow.extend({ row: z.literal("log") }),
    ]),
  ),
  next: count,
  more: z.boolean(),
  head: count,
  sum: z.string().optional(),
  now: instant,
  rosterSeq: z.number(),
}) satisfies z.ZodType<PullPage>;

export const syncReset = z.union([
  z.object({ reset: z.enum(["lineage", "purged"]), epoch: uuid }),
  z.object({ reset: z.literal("boot") }),
]) satisfies z.ZodType<SyncReset>;

export const helloRequest = z.object({
  /** This process; the last of `boots`. */
  boot: uuid,
  boots: z.array(uuid).min(1).max(256),
  mode: z.enum(["register", "adopt"]).optional(),
  /** With `adopt`: the boot id that COPY told. */
  seen: uuid.optional(),
});
export type SyncHello = z.infer<typeof helloRequest>;
export const helloReply = z.discriminatedUnion("answer", [
  z.object({ answer: z.literal("OK"), epoch: uuid }),
  z.object({ answer: z.literal("COPY"), seen: uuid }),
  z.object({ answer: z.literal("UNKNOWN") }),
  z.object({ answer: z.literal("REVOKED") }),
]);
export type SyncHelloReply = z.infer<typeof helloReply>;

export const pullRequest = z.object({
  epoch: uuid,
  cursor: count,
  since: count.nullable(),
  top: count,
  limit: z.number().int().min(1).max(1_000),
}) satisfies z.ZodType<PullRequest>;
export const pullReply = z.union([pullPage, syncReset]);
export type PullReply = z.infer<typeof pullReply>;

export const pushRequest = z.object({
  epoch: uuid,
  boot: uuid,
  cursor: count,
  since: count.nullable(),
  logs: z
    .array(
      z.object({
        streamId: uuid,
        kind,
        writerEpoch: count,
        from: seq,
        prevMac: bytes16,
        lens: z.array(z.number().int().min(1).max(SEALED_SEGMENT_BYTES)).max(PUSH_LIMITS.events),
        mac: bytes16,
        deleted: z.literal(true).optional(),
      }),
    )
    .max(PUSH_LIMITS.events),
  records: z
    .array(z.object({ kind, id: uuid, base: count, body: bytesUpTo(SEALED_RECORD_BYTES) }))
    .max(PUSH_LIMITS.events),
  again: z.literal(true).optional(),
  /** The sealed segments of all logs, one after the other; `lens` are their bytes. */
  blob: bytesUpTo(2 * SEALED_SEGMENT_BYTES).default(""),
}) satisfies z.ZodType<PushRequest>;
export type PushBatch = z.infer<typeof pushRequest>;

const pushCode = z.enum(PUSH_CODES);
export const pushReply = z.union([
  z.object({
    logs: z.array(z.object({ code: pushCode, row: logRow.nullable() })),
    records: z.array(z.object({ code: pushCode, row: recordRow.nullable() })),
    page: pullPage.optional(),
  }) satisfies z.ZodType<PushReply>,
  syncReset,
  // The whole push was refused before anything was written.
  z.object({ refused: z.enum(["TOO_LARGE", "STALE_EPOCH"]), rosterSeq: z.number() }),
]);
export type PushAnswer = z.infer<typeof pushReply>;

export const segmentsRequest = z.object({
  streamId: uuid,
  /** Segments that cover or follow after + 1, forwards; or … */
  after: seq.optional(),
  /** … those before this seq, backwards. */
  before: seq.optional(),
  limit: z.number().int().min(1).max(200),
});
export type SegmentsRequest = z.infer<typeof segmentsRequest>;
export const segmentsReply = z.union([z.object({ segments: z.array(segment) }), z.object({ gone: z.literal(true) })]);
export type SegmentsReply = z.infer<typeof segmentsReply>;

export const compactRequest = z.object({
  boot: uuid,
  streamId: uuid,
  writerEpoch: count,
  from: seq,
  to: seq,
  prevMac: bytesOf(16),
  mac: bytes16,
  body: bytesUpTo(SEALED_SEGMENT_BYTES),
});
export type CompactRequest = z.infer<typeof compactRequest>;
export const compactReply = z.union([z.object({ code: z.enum(["OK", "FENCED", "RANGE"]) }), syncReset]);
export type CompactReply = z.infer<typeof compactReply>;
