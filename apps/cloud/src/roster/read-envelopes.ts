import type { WireEnvelope } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { bytesOfUuid } from "./uuid-of-bytes.ts";

interface EnvelopeRow {
  recipient: string;
  seq: number;
  by: string;
  context: Buffer;
  enc: Buffer;
  ct: Buffer;
  sig: Buffer;
}

/** The envelopes of one recipient, the oldest first; of one statement only where `seq` says so. */
export async function readEnvelopes(
  sql: Sql,
  { accountId, recipient, seq }: { accountId: string; recipient: string; seq?: number },
): Promise<WireEnvelope[]> {
  const rows = await sql<EnvelopeRow[]>`
    select recipient, seq, by, context, enc, ct, sig from envelopes
    where account_id = ${accountId} and recipient = ${recipient}
      ${seq === undefined ? sql`` : sql`and seq = ${seq}`}
    order by seq`;
  const text = (bytes: Buffer): string => bytes.toString("base64url");
  return rows.map((row) => ({
    v: 1,
    to: bytesOfUuid(row.recipient),
    seq: row.seq,
    by: row.by,
    enc: text(row.enc),
    ct: text(row.ct),
    sig: text(row.sig),
    ...(row.context.every((byte) => byte === 0) ? {} : { context: text(row.context) }),
  }));
}
