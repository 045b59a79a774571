import * as z from "zod";
import { bytes16, bytes32, bytesOf, bytesUpTo, refused, seq, signature, uuid } from "./wire.ts";

/** 16 KiB of JSON, as V6 allows. */
const STATEMENT_BYTES = 16_384;
/** One envelope holds at most the roots of all epochs and what a joining device inherits. */
const ENVELOPE_BYTES = 1_048_576;

/** One signed statement of the roster (V6). Its body is checked as the bytes that came, never made again. */
export const rosterStatement = z.object({
  body: bytesUpTo(STATEMENT_BYTES),
  sigs: z
    .array(z.object({ by: z.union([uuid, z.literal("recovery")]), sig: signature }))
    .min(1)
    .max(2),
});
export type WireStatement = z.infer<typeof rosterStatement>;

/** Root keys sealed for one recipient (V18). */
export const envelope = z.object({
  v: z.literal(1),
  /** The 16 bytes of the device id, or 16 zero bytes for the recovery key. */
  to: bytes16,
  seq,
  by: uuid,
  enc: bytes32,
  ct: bytesUpTo(ENVELOPE_BYTES),
  sig: signature,
  /** The transcript of the pairing, or 32 zero bytes (the default). */
  context: bytesOf(32).optional(),
});
export type WireEnvelope = z.infer<typeof envelope>;

export const rosterGetInput = z.object({
  /** Statements after this seq; −1 gives the whole roster, page by page. */
  after: z.number().int().min(-1).max(10_000).default(-1),
});
export type RosterGet = z.infer<typeof rosterGetInput>;

export const rosterPage = z.object({
  /** Null while the account has no vault. */
  vault: bytes16.nullable(),
  statements: z.array(rosterStatement),
  /** The newest statement; −1 while there is none. */
  seq: z.number(),
  more: z.boolean(),
  /** For a device: its own. For a login: those for the recovery key. On the last page only. */
  envelopes: z.array(envelope),
});
export type RosterPage = z.infer<typeof rosterPage>;

export const rosterAppendInput = z.object({
  /** In order. None, when envelopes are handed in later. */
  statements: z.array(rosterStatement).max(64),
  envelopes: z.array(envelope).max(130).default([]),
  /** Statements that a restored cloud has lost: their envelopes are made anew later. */
  again: z.boolean().optional(),
});
export type RosterAppend = z.infer<typeof rosterAppendInput>;

const APPEND_CODES = [
  "CONFLICT",
  "BAD_FORMAT",
  "BAD_KEY",
  "BAD_SIGNATURE",
  "BAD_ROSTER",
  "UNKNOWN_FORMAT",
  "TOO_LARGE",
  "NOT_ALLOWED",
  "KEY_MISSING",
] as const;

export const rosterAppended = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), vault: bytes16, seq: z.number() }),
  refused(APPEND_CODES).extend({
    /** With CONFLICT: the statements that came first. */
    newer: z.array(rosterStatement),
  }),
]);
export type RosterAppended = z.infer<typeof rosterAppended>;
