import type { WireEnvelope, WireStatement } from "@codehands/api/cloud";
import type { Roster } from "@codehands/vault";
import type { TransactionSql } from "postgres";
import { writeDevices } from "../devices/device-rows.ts";
import { uuidOfBytes } from "./uuid-of-bytes.ts";

/** The recovery key as a recipient: 16 zero bytes. */
export const RECOVERY_RECIPIENT = "00000000-0000-0000-0000-000000000000";

/** Locks an account, so that one statement at a time is laid on its roster. */
export async function lockAccount(tx: TransactionSql, accountId: string): Promise<void> {
  await tx`select 1 from accounts where id = ${accountId} for update`;
}

/** Writes one verified statement, what the account knows of the roster, and the devices as they are after it. */
export async function storeStatement(
  tx: TransactionSql,
  accountId: string,
  { statement, roster }: { statement: WireStatement; roster: Roster },
): Promise<void> {
  await tx`
    insert into roster (account_id, seq, body, sigs, hash)
    values (${accountId}, ${roster.seq}, ${Buffer.from(statement.body, "base64url")}, ${tx.json(statement.sigs)},
      ${Buffer.from(roster.hash)})`;
  await tx`
    update accounts
    set vault_id = ${Buffer.from(roster.vault)}, key_epoch = ${roster.epoch}, roster_seq = ${roster.seq}
    where id = ${accountId}`;
  await writeDevices(tx, accountId, roster);
  // Envelopes that nobody can open any more: of who was removed, and those for a recovery key that was replaced.
  for (const device of roster.devices.values())
    if (device.removed?.seq === roster.seq)
      await tx`delete from envelopes where account_id = ${accountId} and recipient = ${device.id}`;
  if (roster.recovery.seq === roster.seq)
    await tx`delete from envelopes where account_id = ${accountId} and recipient = ${RECOVERY_RECIPIENT}`;
}

/** Writes envelopes; one that came before for the same recipient and statement is replaced. */
export async function storeEnvelopes(
  tx: TransactionSql,
  accountId: string,
  envelopes: readonly WireEnvelope[],
): Promise<void> {
  const bytes = (text: string): Buffer => Buffer.from(text, "base64url");
  for (const { to, seq, by, enc, ct, sig, context } of envelopes)
    await tx`
      insert into envelopes (account_id, recipient, seq, by, context, enc, ct, sig)
      values (${accountId}, ${uuidOfBytes(to)}, ${seq}, ${by},
        ${context === undefined ? Buffer.alloc(32) : bytes(context)}, ${bytes(enc)}, ${bytes(ct)}, ${bytes(sig)})
      on conflict (account_id, recipient, seq) do update set
        by = excluded.by, context = excluded.context, enc = excluded.enc, ct = excluded.ct, sig = excluded.sig`;
}
