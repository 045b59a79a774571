import type { Sql } from "postgres";

/** What belongs to an account, in the order in which it goes: the sealed root keys first (V34). */
const TABLES = [
  "envelopes",
  "access_tokens",
  "challenges",
  "invitations",
  "pairings",
  "segments",
  "logs",
  "records",
  "roster",
  "devices",
] as const;

/** Deletes a person's account whole, in one transaction. Devices keep what they hold; their next call is refused. */
export async function deleteAccount(sql: Sql, accountId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select 1 from accounts where id = ${accountId} for update`;
    for (const table of TABLES) await tx`delete from ${tx(table)} where account_id = ${accountId}`;
    await tx`delete from accounts where id = ${accountId}`;
    // Logins and the password go with the user.
    await tx`delete from auth_users where id = ${accountId}`;
  });
}
