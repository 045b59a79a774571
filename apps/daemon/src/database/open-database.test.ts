import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLE_WRITERS } from "@codehands/contracts";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { events } from "./event-table.ts";
import { isSafeSqlite, openDatabase } from "./open-database.ts";
import { readMigrations } from "./read-migrations.ts";
import * as schema from "./schema.ts";
import * as syncTables from "./sync-tables.ts";

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "codehands-db-"));
  file = join(dir, "state.db");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe("an opened database", () => {
  test("is durable: WAL, FULL, foreign keys, a busy timeout and no memory map", () => {
    const store = openDatabase(file);
    const pragma = (name: string) => store.sqlite.pragma(name, { simple: true });
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("foreign_keys")).toBe(1);
    expect(pragma("busy_timeout")).toBe(5000);
    expect(pragma("mmap_size") ?? 0).toBe(0);
    store.close();
  });

  test("has every table that a writer is named for, and the columns that the program reads", () => {
    const store = openDatabase(file);
    const tables: SQLiteTable[] = [...Object.values(schema), ...Object.values(syncTables), events];
    expect(tables.map((table) => getTableName(table)).sort()).toEqual(Object.keys(TABLE_WRITERS).sort());
    for (const table of tables) {
      const stored = store.sqlite.pragma(`table_info(${getTableName(table)})`) as { name: string }[];
      const read = Object.values(getTableColumns(table)).map((column) => column.name);
      expect(stored.map((column) => column.name).sort()).toEqual(read.sort());
    }
    const ddl = store.prepare("select sql from sqlite_master where name = 'events'").pluck().get();
    expect(String(ddl)).toContain("WITHOUT ROWID");
    store.close();
  });

  test("refuses a status, an object format and a run state that the contract does not know", () => {
    const store = openDatabase(file);
    const insert = (status: string) =>
      store.sqlite
        .prepare(
          `insert into sessions (id, task_id, repo_key, repo_path, device_id, title, prompt, agent, status, created_at)
           values ('s', 't', 'r', '/r', 'd', 't', 'p', 'sample', ?, '2026-01-01')`,
        )
        .run(status);
    store.sqlite.pragma("foreign_keys = OFF");
    expect(codeOf(() => insert("sleeping"))).toMatchObject({ code: "SQLITE_CONSTRAINT_CHECK" });
    expect(insert("queued").changes).toBe(1);
    store.close();
  });
});

test("C090: a SQLite older than 3.51.3 is refused", () => {
  expect(["3.7.0", "3.51.2", "3.50.9"].map(isSafeSqlite)).toEqual([false, false, false]);
  expect(["3.51.3", "3.53.2", "4.0.0", "3.51.10"].map(isSafeSqlite)).toEqual([true, true, true, true]);
});

describe("F34: versions", () => {
  const step = (version: number, minSafeVersion: number, statements: string[]) => ({
    version,
    tag: `step-${version}`,
    minSafeVersion,
    statements,
  });
  const first = step(1, 1, ["create table meta (key text primary key, value text not null)", "create table a (x)"]);
  const second = step(2, 1, ["create table b (x)", "insert into a values (1)", "create index b_x on b (x)"]);
  const breaking = step(2, 2, second.statements);

  test("interrupted before any statement, the next start ends with the whole schema and each step once", () => {
    const migrations = [first, second];
    for (const stop of [first, second].flatMap((s) =>
      [...s.statements.keys(), s.statements.length].map((n) => [s.version, n]),
    )) {
      const path = join(dir, `at-${stop.join("-")}.db`);
      const interrupted = codeOf(() =>
        openDatabase(path, {
          migrations,
          beforeStatement: (version, index) => {
            if (version === stop[0] && index === stop[1]) throw new Error("interrupted");
          },
        }),
      );
      expect(interrupted).toMatchObject({ message: "interrupted" });
      const store = openDatabase(path, { migrations });
      expect(store.sqlite.pragma("user_version", { simple: true })).toBe(2);
      expect(store.prepare("select count(*) from a").pluck().get()).toBe(1);
      store.close();
    }
  });

  test("an older program refuses a database that a newer one made unsafe for it, in plain words, and changes nothing", () => {
    openDatabase(file, { migrations: [first, breaking] }).close();
    const before = readFileSync(file);
    const problem = codeOf(() => openDatabase(file, { migrations: [first] }));
    expect(problem).toMatchObject({ code: "database_newer" });
    expect((problem as Error).message).toContain("Install the newer version again");
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("an older program still opens a newer database that is safe for it", () => {
    openDatabase(file, { migrations: [first, second] }).close();
    const store = openDatabase(file, { migrations: [first] });
    expect(store.sqlite.pragma("user_version", { simple: true })).toBe(2);
    store.close();
  });

  test("every migration says which program is too old for it", () => {
    const known = readMigrations(new URL("../../migrations/", import.meta.url));
    expect(known.map((migration) => migration.version)).toEqual(known.map((_, index) => index + 1));
    expect(known.every((migration) => migration.minSafeVersion <= migration.version)).toBe(true);
  });
});

describe("F06, C095: a damaged database", () => {
  test("zero bytes: refused in plain words, left as it is, copied aside", () => {
    writeFileSync(file, "");
    const problem = codeOf(() => openDatabase(file));
    expect(problem).toMatchObject({ code: "database_damaged" });
    expect(statSync(file).size).toBe(0);
    expect(readdirSync(dir)).toContain("state.db.damaged-1");
  });

  test("not a database at all: refused; one copy serves every start until the file changes", () => {
    writeFileSync(file, "this is no database, but it is long enough to be looked at by SQLite. ".repeat(20));
    const before = readFileSync(file);
    expect(codeOf(() => openDatabase(file))).toMatchObject({ code: "database_damaged" });
    expect(codeOf(() => openDatabase(file))).toMatchObject({ code: "database_damaged" });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readFileSync(join(dir, "state.db.damaged-1")).equals(before)).toBe(true);
    expect(existsSync(join(dir, "state.db.damaged-2"))).toBe(false);
    writeFileSync(file, `${before.toString()} and more`);
    expect(codeOf(() => openDatabase(file))).toMatchObject({ code: "database_damaged" });
    expect(readFileSync(join(dir, "state.db.damaged-1")).equals(before)).toBe(true);
    expect(existsSync(join(dir, "state.db.damaged-2"))).toBe(true);
  });

  test("garbage in its pages: refused, copied aside, never deleted", () => {
    const store = openDatabase(file);
    store.sqlite.exec(
      "with n(v) as (select 1 union all select v + 1 from n where v < 400) insert into meta select 'k' || v, hex(randomblob(400)) from n",
    );
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096, Math.min(bytes.length, 40 * 4096));
    writeFileSync(file, bytes);
    const problem = codeOf(() => openDatabase(file));
    expect(problem).toMatchObject({ code: "database_damaged" });
    expect((problem as Error).message).toContain("damaged-1");
    expect(readFileSync(join(dir, "state.db.damaged-1")).equals(bytes)).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  test("a path that cannot be opened is told as such", () => {
    expect(codeOf(() => openDatabase(dir))).toMatchObject({ code: "database_unreadable" });
  });

  test("killed with its log not written back, it opens with everything that was committed", () => {
    const store = openDatabase(file);
    store.sqlite.prepare("insert into meta values ('kept', 'yes')").run();
    const copy = join(dir, "copy.db");
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    store.close();
    const again = openDatabase(copy);
    expect(again.prepare("select value from meta where key = 'kept'").pluck().get()).toBe("yes");
    again.close();
  });
});
