import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { DaemonError } from "../home/daemon-error.ts";
import { applyMigrations, readSchemaVersion } from "./apply-migrations.ts";
import { copyAside } from "./copy-aside.ts";
import { planMigrations } from "./plan-migrations.ts";
import { type Migration, readMigrations } from "./read-migrations.ts";

/** The oldest SQLite without the bug that could damage a WAL database used by two connections. */
const MIN_SQLITE = [3, 51, 3] as const;

/** Up to this size the whole database is checked at every start; beyond it that would take seconds. */
const CHECKED_BYTES = 256 * 1024 * 1024;

export interface OpenDatabase {
  readonly sqlite: Database.Database;
  readonly db: BetterSQLite3Database;
  /** The prepared form of a statement, prepared once per connection. */
  prepare(sql: string): Database.Statement;
  close(): void;
}

export interface OpenDatabaseOptions {
  migrations?: readonly Migration[];
  /** Called before each statement of a migration; what it throws interrupts the migration. */
  beforeStatement?: (version: number, index: number) => void;
}

/**
 * Opens `state.db`, makes it durable (WAL, FULL) and brings its schema up to date. Throws a DaemonError with
 * `database_newer`, `database_damaged`, `database_unreadable` or `sqlite_too_old`; nothing is ever deleted,
 * and a damaged database is copied aside first.
 */
export function openDatabase(file: string, options: OpenDatabaseOptions = {}): OpenDatabase {
  refuseEmptyFile(file);
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(file);
    prepareConnection(sqlite, file);
    migrate(sqlite, options);
    return wrap(sqlite);
  } catch (error) {
    sqlite?.close();
    throw asProblem(error, file);
  }
}

/** True when this SQLite is new enough for a WAL database. */
export function isSafeSqlite(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of MIN_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Our database never shrinks to nothing: an empty file is what a torn copy or a full disk leaves behind. */
function refuseEmptyFile(file: string): void {
  if (!existsSync(file) || statSync(file).size > 0) return;
  const copy = copyAside(file);
  throw new DaemonError("database_damaged", damaged(file, "it is empty", copy));
}

function prepareConnection(sqlite: Database.Database, file: string): void {
  const version = sqlite.prepare("select sqlite_version()").pluck().get() as string;
  if (!isSafeSqlite(version)) {
    throw new DaemonError(
      "sqlite_too_old",
      `SQLite ${version} can damage a database; ${MIN_SQLITE.join(".")} or newer is needed. Nothing was opened. Install the program again.`,
    );
  }
  sqlite.pragma("busy_timeout = 5000");
  if (sqlite.pragma("journal_mode = WAL", { simple: true }) !== "wal") {
    throw new DaemonError(
      "database_unreadable",
      `${file} lies on a file system that cannot keep it safe (no WAL). Nothing was changed. Set CODEHANDS_HOME to a folder on a local disk.`,
    );
  }
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("mmap_size = 0");
  const check =
    existsSync(file) && statSync(file).size <= CHECKED_BYTES ? sqlite.pragma("quick_check(1)", { simple: true }) : "ok";
  if (check !== "ok") throw Object.assign(new Error(String(check)), { code: "SQLITE_CORRUPT" });
  sqlite.exec("BEGIN IMMEDIATE; COMMIT");
}

function migrate(sqlite: Database.Database, options: OpenDatabaseOptions): void {
  const known = options.migrations ?? readMigrations(new URL("../../migrations/", import.meta.url));
  const plan = planMigrations(readSchemaVersion(sqlite), known);
  if (!plan.ok) {
    throw new DaemonError(
      "database_newer",
      `The database was written by a newer version of Code Hands (schema ${plan.needs}; this program knows ${plan.knows}). Nothing was changed. Install the newer version again.`,
    );
  }
  applyMigrations(sqlite, plan.steps, options.beforeStatement);
}

function wrap(sqlite: Database.Database): OpenDatabase {
  const statements = new Map<string, Database.Statement>();
  return {
    sqlite,
    db: drizzle(sqlite),
    prepare(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = sqlite.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => sqlite.close(),
  };
}

function asProblem(error: unknown, file: string): unknown {
  if (error instanceof DaemonError) return error;
  const code = (error as { code?: unknown }).code;
  const why = error instanceof Error ? error.message : String(error);
  if (typeof code !== "string") return error;
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new DaemonError("database_damaged", damaged(file, why, copyAside(file)), { cause: error });
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|IOERR)/.test(code)) {
    const missing = canRead(file) ? "cannot be written" : "cannot be read";
    return new DaemonError(
      "database_unreadable",
      `${file} ${missing} (${why}). Nothing was changed. Give your user read and write access to the file and its folder.`,
      { cause: error },
    );
  }
  return error;
}

function canRead(file: string): boolean {
  try {
    const fd = openSync(file, "r");
    readSync(fd, Buffer.alloc(1), 0, 1, 0);
    closeSync(fd);
    return true;
  } catch {
    return false;
  }
}

function damaged(file: string, why: string, copy: string | null): string {
  const kept = copy === null ? "It could not be copied aside, so copy it yourself first." : `A copy lies at ${copy}.`;
  return `${file} is damaged (${why}). It was left as it is. ${kept} Put a backup in its place, or move it away to begin with an empty history: worktrees and branches are not touched by that.`;
}
