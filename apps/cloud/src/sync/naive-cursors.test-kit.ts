import type { Sql } from "postgres";

/** The obvious ways to number rows for a cursor; each loses rows, and each is here to show that the tests would see it. */
export const NAIVE_CURSORS = {
  bigserial: {
    create: "create table naive_bigserial (cursor bigserial primary key, name text)",
    insert: (sql: Pick<Sql, "unsafe">, name: string) =>
      sql.unsafe("insert into naive_bigserial (name) values ($1)", [name]),
    after: (sql: Sql, cursor: string) =>
      sql.unsafe<{ cursor: string; name: string }[]>(
        "select cursor::text, name from naive_bigserial where cursor > $1::text::bigint order by naive_bigserial.cursor",
        [cursor],
      ),
    start: "0",
  },
  updated_at: {
    create: "create table naive_updated_at (cursor timestamptz default clock_timestamp(), name text)",
    insert: (sql: Pick<Sql, "unsafe">, name: string) =>
      sql.unsafe("insert into naive_updated_at (name) values ($1)", [name]),
    after: (sql: Sql, cursor: string) =>
      sql.unsafe<{ cursor: string; name: string }[]>(
        "select cursor::text, name from naive_updated_at where cursor > $1::text::timestamptz order by naive_updated_at.cursor",
        [cursor],
      ),
    start: "-infinity",
  },
} as const;
export type NaiveCursor = (typeof NAIVE_CURSORS)[keyof typeof NAIVE_CURSORS];

/** Follows a naive cursor: what it has seen so far. */
export function followNaive(sql: Sql, naive: NaiveCursor): { seen: Set<string>; pull(): Promise<void> } {
  const seen = new Set<string>();
  let cursor: string = naive.start;
  return {
    seen,
    async pull() {
      for (const row of await naive.after(sql, cursor)) {
        seen.add(row.name);
        cursor = row.cursor;
      }
    },
  };
}
