import type { WireStatement } from "@codehands/api/cloud";
import { foldRoster, type Roster } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";
import { signedByCutOff } from "./statement-facts.ts";
import { lockAccount, storeStatement } from "./store-statement.ts";

export interface TakeBackDeps {
  sql: Sql;
  rosters: { read(accountId: string, sql?: Sql | TransactionSql): Promise<Roster | null> };
}

/**
 * After this cloud was restored, devices hand in the statements it lost. Whoever hands them in, they carry their own
 * proof; those that continue the roster are taken, up to the first that does not. Envelopes of their epochs come later.
 */
export async function takeBackStatements(
  { sql, rosters }: TakeBackDeps,
  accountId: string,
  statements: readonly WireStatement[],
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    let roster = await rosters.read(accountId, tx);
    for (const statement of statements) {
      const next = await foldRoster([statement], roster);
      if (!next.ok || (await signedByCutOff(tx, accountId, statement))) continue;
      roster = next.value;
      await storeStatement(tx, accountId, { statement, roster });
    }
  });
}
