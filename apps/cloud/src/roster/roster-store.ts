import type { WireStatement } from "@codehands/api/cloud";
import { foldRoster, type Roster } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";
import { takeBackStatements } from "./take-back.ts";

/** Rosters in memory: each is folded from signed statements, so a stale one is only one that has to be read on. */
const MOST = 500;

export interface RosterStore {
  /** The account whose vault this is (base64url), or null. */
  accountOf(vaultId: string): Promise<string | null>;
  /** The verified roster of an account; null while it has no vault. */
  read(accountId: string, sql?: Sql | TransactionSql): Promise<Roster | null>;
  /** Takes statements that a restored cloud has lost, those that continue its own; others change nothing. */
  takeBack(accountId: string, statements: readonly WireStatement[]): Promise<void>;
}

interface StatementRow {
  seq: number;
  body: Buffer;
  sigs: WireStatement["sigs"];
  hash: Buffer;
}

/** Statements as they travel. */
export async function readStatements(
  sql: Sql | TransactionSql,
  { accountId, after, upTo = 10_000, limit }: { accountId: string; after: number; upTo?: number; limit: number },
): Promise<{ seq: number; statement: WireStatement; hash: Buffer }[]> {
  const rows = await sql<StatementRow[]>`
    select seq, body, sigs, hash from roster
    where account_id = ${accountId} and seq > ${after} and seq <= ${upTo}
    order by seq limit ${limit}`;
  return rows.map(({ seq, body, sigs, hash }) => ({
    seq,
    hash,
    statement: { body: body.toString("base64url"), sigs },
  }));
}

/** Reads rosters and keeps the last ones. What is kept is checked against the database each time. */
export function openRosterStore(sql: Sql): RosterStore {
  const kept = new Map<string, Roster>();
  const keep = (accountId: string, roster: Roster): Roster => {
    kept.delete(accountId);
    kept.set(accountId, roster);
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return roster;
  };

  const store: RosterStore = {
    async accountOf(vaultId) {
      const [row] = await sql<{ id: string }[]>`
        select id from accounts where vault_id = ${Buffer.from(vaultId, "base64url")}`;
      return row?.id ?? null;
    },

    async read(accountId, client = sql) {
      const held = kept.get(accountId) ?? null;
      const from = held === null ? -1 : held.seq - 1;
      const [first, ...newer] = await readStatements(client, { accountId, after: from, limit: 10_001 });
      if (first === undefined) {
        // The database went back behind what is kept: from the beginning again.
        if (held === null) return null;
        kept.delete(accountId);
        return store.read(accountId, client);
      }
      if (held !== null && !first.hash.equals(held.hash)) {
        kept.delete(accountId);
        return store.read(accountId, client);
      }
      const added = held === null ? [first, ...newer] : newer;
      if (held !== null && added.length === 0) return held;
      const folded = await foldRoster(
        added.map(({ statement }) => statement),
        held,
      );
      if (!folded.ok) throw new Error(`the stored roster of ${accountId} does not verify: ${folded.code}`);
      return keep(accountId, folded.value);
    },

    takeBack: (accountId, statements) => takeBackStatements({ sql, rosters: store }, accountId, statements),
  };
  return store;
}
