import type { AccountsPort } from "@codehands/api/cloud";
import type { Sql } from "postgres";

/** What a person sees of an account before any key is there: how much there is, and nothing of what is in it. */
export function createAccountsPort(sql: Sql): AccountsPort {
  return {
    async status({ accountId }) {
      const [row] = await sql<{ vault_id: Buffer | null; roster_seq: number; devices: number; sessions: number }[]>`
        select account.vault_id, account.roster_seq,
          (select count(*)::int from devices d where d.account_id = account.id and d.revoked_at is null) as devices,
          (select count(*)::int from logs l where l.account_id = account.id and l.kind = 1 and not l.deleted) as sessions
        from accounts account where account.id = ${accountId}`;
      return {
        vault: row?.vault_id?.toString("base64url") ?? null,
        rosterSeq: row?.roster_seq ?? -1,
        devices: row?.devices ?? 0,
        sessions: row?.sessions ?? 0,
      };
    },
  };
}
