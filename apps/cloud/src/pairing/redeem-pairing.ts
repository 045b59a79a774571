import type { RedeemedPairing } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { readEnvelopes } from "../roster/read-envelopes.ts";
import { readStatements } from "../roster/roster-store.ts";
import { EXPIRED } from "./pairing-refusals.ts";

/**
 * Hands an approved pairing over, once: of any number of parallel calls one takes the row away. Whoever loses the answer
 * on the way is a member all the same and reads roster and envelope with a token of its own.
 */
export async function redeemPairing(sql: Sql, pollHash: Buffer): Promise<RedeemedPairing> {
  const [row] = await sql<{ account_id: string; seq: number; recipient: string }[]>`
    with taken as (
      delete from pairings where poll_hash = ${pollHash} and state = 'approved' and expires_at > now()
      returning id, account_id)
    select taken.account_id, approval.seq, approval.recipient
    from taken join pairing_approvals approval on approval.pairing_id = taken.id`;
  if (row === undefined) return EXPIRED;
  const { account_id: accountId, seq, recipient } = row;
  const statements = await readStatements(sql, { accountId, after: -1, upTo: seq, limit: 10_001 });
  const [envelope] = await readEnvelopes(sql, { accountId, recipient, seq });
  const [device] = await sql<{ created_at: Date; vault_id: Buffer }[]>`
    select device.created_at, account.vault_id
    from devices device join accounts account on account.id = device.account_id
    where device.account_id = ${accountId} and device.id = ${recipient}`;
  if (envelope === undefined || device === undefined) return EXPIRED;
  return {
    ok: true,
    vault: device.vault_id.toString("base64url"),
    statements: statements.map(({ statement }) => statement),
    envelope,
    device: { id: recipient, createdAt: device.created_at.toISOString() },
  };
}
