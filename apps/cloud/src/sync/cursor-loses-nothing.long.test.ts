import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRaw } from "../database/open-cloud-database.ts";
import { followNaive, NAIVE_CURSORS } from "./naive-cursors.test-kit.ts";
import { newId, openSyncStage, pageOf, type SyncStage } from "./sync-stage.test-kit.ts";

const WRITERS = 8;
const PUSHES = 400;
const ROWS = 10;

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

/** Runs `write` for each writer and push while `pull` goes on and on, and once more after the last commit. */
async function race(
  write: (writer: number, push: number) => Promise<unknown>,
  pull: () => Promise<boolean>,
): Promise<void> {
  let writing = true;
  const following = (async () => {
    for (;;) {
      const last = !writing;
      const more = await pull();
      if (last && !more) return;
    }
  })();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let push = 0; push < PUSHES; push++) await write(writer, push);
    }),
  );
  writing = false;
  await following;
}

test("G11 32,000 rows by eight writers on one account: the reader misses none", async () => {
  const [reader, ...writers] = await stage.accountWith(WRITERS + 1);
  if (reader === undefined) throw new Error("no reader");
  const seen = new Set<number>();
  let cursor = 0;
  await race(
    async (writer) =>
      // No page in the answers: the reader pulls.
      writers[writer]?.push(
        { records: Array.from({ length: ROWS }, () => ({ kind: 4, id: newId() })) },
        { cursor: Number.MAX_SAFE_INTEGER },
      ),
    async () => {
      const page = pageOf(await reader.pull(cursor, { limit: 1_000 }));
      for (const row of page.rows) seen.add(row.version);
      cursor = page.next;
      return page.more;
    },
  );
  expect(seen.size).toBe(WRITERS * PUSHES * ROWS);
  expect(Math.max(...seen)).toBe(WRITERS * PUSHES * ROWS);
});

test.each(Object.entries(NAIVE_CURSORS))("the same race with a cursor by %s loses rows", async (name, naive) => {
  const sql = connectRaw(stage.url, WRITERS + 1);
  await sql.unsafe(naive.create);
  const reader = followNaive(sql, naive);
  await race(
    (writer, push) =>
      sql.begin(async (own) => {
        for (let row = 0; row < ROWS; row++) await naive.insert(own, `${writer}/${push}/${row}`);
      }),
    async () => {
      await reader.pull();
      return false;
    },
  );
  const all = WRITERS * PUSHES * ROWS;
  const lost = all - reader.seen.size;
  process.stdout.write(`cursor by ${name}: ${lost} of ${all} rows lost (${((lost / all) * 100).toFixed(1)} %)\n`);
  expect(lost).toBeGreaterThan(0);
  await sql.end();
});
