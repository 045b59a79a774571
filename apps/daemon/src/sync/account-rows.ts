import type { StoredAccount } from "@codehands/client";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

type Facts = Omit<StoredAccount, "statements" | "lastN">;

/** The account of this device with its whole roster; null when it is not signed in. */
export function readAccount(store: OpenDatabase): StoredAccount | null {
  const row = store.prepare("select body, last_n lastN from account").get() as
    | { body: string; lastN: number }
    | undefined;
  if (row === undefined) return null;
  const statements = store.prepare("select body from roster order by position").pluck().all() as string[];
  return {
    ...(JSON.parse(row.body) as Facts),
    lastN: row.lastN,
    statements: statements.map((body) => JSON.parse(body) as StoredAccount["statements"][number]),
  };
}

/** Stores the account in place of what is stored. Of its roster only what is new is written: it only ever grows (V9). */
export function putAccount(tx: Tx, { statements, lastN, ...facts }: StoredAccount): void {
  tx.store
    .prepare(
      `insert into account (one, body, last_n) values (1, @body, @lastN)
       on conflict (one) do update set body = excluded.body, last_n = excluded.last_n`,
    )
    .run({ body: JSON.stringify(facts satisfies Facts), lastN });
  const held = tx.store.prepare("select body from roster order by position").pluck().all() as string[];
  const bodies = statements.map((statement) => JSON.stringify(statement));
  const differs = bodies.findIndex((body, at) => held[at] !== body);
  const from = differs < 0 ? bodies.length : differs;
  tx.store.prepare("delete from roster where position >= ?").run(from);
  const add = tx.store.prepare("insert into roster (position, body) values (?, ?)");
  for (const [at, body] of bodies.entries()) if (at >= from) add.run(at, body);
}

/** Raises the highest n by `count` and returns it; null when there is no account. */
export function raiseN(tx: Tx, count: number): number | null {
  const raised = tx.store.prepare("update account set last_n = last_n + ? returning last_n").pluck().get(count);
  return typeof raised === "number" ? raised : null;
}

/** Forgets the account and its roster. */
export function forgetAccount(tx: Tx): void {
  tx.store.prepare("delete from account").run();
  tx.store.prepare("delete from roster").run();
}
