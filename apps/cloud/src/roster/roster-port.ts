import type { RosterPort } from "@codehands/api/cloud";
import { type AppendDeps, appendRoster } from "./append-roster.ts";
import { readEnvelopes } from "./read-envelopes.ts";
import { readStatements } from "./roster-store.ts";
import { RECOVERY_RECIPIENT } from "./store-statement.ts";

/** Statements of one answer. */
const PAGE = 200;

/** The roster of the caller's own account. */
export function createRosterPort(deps: AppendDeps): RosterPort {
  const { sql } = deps;
  return {
    async get(caller, { after }) {
      const { accountId } = caller;
      const [account] = await sql<{ vault_id: Buffer | null; roster_seq: number }[]>`
        select vault_id, roster_seq from accounts where id = ${accountId}`;
      const found = await readStatements(sql, { accountId, after, limit: PAGE + 1 });
      const statements = found.slice(0, PAGE).map(({ statement }) => statement);
      const more = found.length > PAGE;
      const recipient = caller.kind === "device" ? caller.deviceId : RECOVERY_RECIPIENT;
      return {
        vault: account?.vault_id?.toString("base64url") ?? null,
        statements,
        // A statement may have come between the two reads.
        seq: Math.max(account?.roster_seq ?? -1, found.at(-1)?.seq ?? -1),
        more,
        envelopes: more ? [] : await readEnvelopes(sql, { accountId, recipient }),
      };
    },

    append: (caller, append) => appendRoster(deps, caller, append),
  };
}
