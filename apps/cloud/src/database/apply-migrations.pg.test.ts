import { expect, test } from "vitest";
import { applyMigrations, planMigrations } from "./apply-migrations.ts";
import { connectRaw, openCloudDatabase } from "./open-cloud-database.ts";
import { MIGRATIONS, type Migration, readMigrations } from "./read-migrations.ts";
import { dropTestDatabase, makeTestDatabase } from "./test-database.test-kit.ts";

const known = readMigrations(MIGRATIONS);

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const url = await makeTestDatabase("empty");
  try {
    await work(url);
  } finally {
    await dropTestDatabase(url);
  }
}

/** Tables, columns, indexes and functions, without what holds the state of migrations. */
async function shapeOf(url: string): Promise<unknown> {
  const sql = connectRaw(url, 1);
  const shape = [
    await sql`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
      where table_schema = 'public' order by 1, 2`,
    await sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`,
    await sql`select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    await sql`select version, tag from cloud_schema order by 1`,
  ];
  await sql.end();
  return shape.map((rows) => [...rows]);
}

test("F34 interrupted before every statement, the next start ends with the same schema", async () => {
  let whole: unknown;
  await withDatabase(async (url) => {
    await (await openCloudDatabase(url)).close();
    whole = await shapeOf(url);
  });
  const points = known.flatMap(({ version, statements }) =>
    Array.from({ length: statements.length + 1 }, (_, index) => ({ version, index })),
  );
  expect(points.length).toBeGreaterThan(20);
  await withDatabase(async (url) => {
    const sql = connectRaw(url, 1);
    for (const point of points) {
      const interrupted = applyMigrations(sql, known, (version, index) => {
        if (version === point.version && index === point.index) throw new Error("interrupted");
      });
      await expect(interrupted).rejects.toThrow("interrupted");
    }
    await sql.end();
    await (await openCloudDatabase(url)).close();
    expect(await shapeOf(url)).toEqual(whole);
  });
});

test("F34 interrupted by the end of its connection, the next start goes on", async () => {
  await withDatabase(async (url) => {
    const sql = connectRaw(url, 2);
    const lastStep = known.at(-1)?.version;
    const cut = applyMigrations(sql, known, async (version, index) => {
      if (version !== lastStep || index !== 1) return;
      const other = connectRaw(url, 1);
      await other`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
      await other.end();
    });
    // What the server said last may be lost with the connection.
    const ended = /^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/;
    await expect(cut).rejects.toMatchObject({ code: expect.stringMatching(ended) });
    await applyMigrations(sql, known);
    expect(await sql`select version from cloud_schema`).toHaveLength(known.length);
    await sql.end();
  });
});

test("four programs that start at once bring the schema up to date once", async () => {
  await withDatabase(async (url) => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => openCloudDatabase(url, { connections: 2 })));
    const [first] = databases;
    if (first === undefined) throw new Error("no database");
    expect(await first.sql`select version from cloud_schema order by 1`).toEqual(
      known.map(({ version }) => ({ version })),
    );
    await Promise.all(databases.map((database) => database.close()));
  });
});

test("a database of a newer program is refused in plain words and left as it is", async () => {
  await withDatabase(async (url) => {
    const next: Migration = {
      version: known.length + 1,
      tag: "later",
      minSafeVersion: known.length + 1,
      statements: ["create table later (id integer)"],
    };
    await (await openCloudDatabase(url, { migrations: [...known, next] })).close();
    const before = await shapeOf(url);
    await expect(openCloudDatabase(url)).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringMatching(/newer version of Code Hands.*Nothing was changed/),
    });
    expect(await shapeOf(url)).toEqual(before);
  });
});

test("a newer database that older programs may use is used", () => {
  expect(planMigrations({ version: 9, minSafeVersion: 1 }, known)).toEqual({ ok: true, steps: [] });
  expect(planMigrations({ version: 9, minSafeVersion: 9 }, known)).toEqual({
    ok: false,
    needs: 9,
    knows: known.length,
  });
  expect(planMigrations({ version: 1, minSafeVersion: 1 }, known)).toEqual({ ok: true, steps: known.slice(1) });
});

test("C107 the driver is postgres.js: no other one is there", async () => {
  const { readFileSync } = await import("node:fs");
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(names).toContain("postgres");
  expect(names.filter((name) => ["pg", "pg-pool", "pg-promise", "@vercel/postgres", "slonik"].includes(name))).toEqual(
    [],
  );
});
