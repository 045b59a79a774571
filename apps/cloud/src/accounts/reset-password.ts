import type { Sql, TransactionSql } from "postgres";
import { addressKey } from "../http/client-address.ts";
import { openLimits } from "../limits/open-limits.ts";
import { hashPassword } from "./hash-password.ts";

export interface ResetWish {
  /** As `emailAddress` gives it. */
  email: string;
  /** One that `refuseNewPassword` lets pass. */
  password: string;
  /** In the form that logins are checked against; `hashPassword` when absent. */
  hash?: (password: string) => Promise<string>;
}

export type PasswordReset =
  /** `devices` are those of the account that are not cut off; nothing of them was touched. */
  { ok: true; accountId: string; endedLogins: number; devices: number } | { ok: false; code: "no_account" };

/**
 * Gives a person's login another password, ends every login there is, and forgets the tries that lock it. All or
 * nothing, in one transaction. Keys, devices, their tokens and everything sealed stay as they are.
 */
export async function resetPassword(sql: Sql, wish: ResetWish): Promise<PasswordReset> {
  const { email, password, hash = hashPassword } = wish;
  // Before anybody is looked for: an address that has no account takes as much work.
  const hashed = await hash(password);
  return sql.begin((tx) => replaceHash(tx, { email, hashed }));
}

/** The same inside a transaction, with a hash that is there already. */
export async function replaceHash(
  tx: TransactionSql,
  { email, hashed }: { email: string; hashed: string },
): Promise<PasswordReset> {
  // No login of this person can be written from here on: its row refers to this one. See `signIn`.
  const [user] = await tx<{ id: string }[]>`select id from auth_users where email = ${email} for update`;
  if (user === undefined) return { ok: false, code: "no_account" };
  await tx`
    update auth_credentials set password = ${hashed}, updated_at = now()
    where user_id = ${user.id} and provider_id = 'credential'`;
  const ended = await tx<{ address: string | null }[]>`
    delete from auth_logins where user_id = ${user.id} returning ip_address as address`;
  const limits = openLimits(tx);
  await limits.forget("login-account", email);
  // Whoever forgot a password tried often, and most likely from where they were logged in before.
  for (const address of new Set(ended.map((login) => login.address)))
    if (address !== null && address !== "") await limits.forget("login-address", addressKey(address));
  const [count] = await tx<{ devices: number }[]>`
    select count(*)::int as devices from devices where account_id = ${user.id} and revoked_at is null`;
  return { ok: true, accountId: user.id, endedLogins: ended.length, devices: count?.devices ?? 0 };
}
