import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";

export type Lock = { release(): void } | { held: true; by: string };

/**
 * Takes the one lock of a home, or names its holder. The lock is an open exclusive transaction, so it dies with
 * the process however that ends; the text file beside it (`<file>.holder`) only names the holder.
 */
export function takeLock(file: string, me = `the daemon with pid ${process.pid}`): Lock {
  const sqlite = new Database(file, { timeout: 0 });
  try {
    sqlite.pragma("journal_mode = DELETE");
    sqlite.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    sqlite.close();
    if (isBusy(error)) return { held: true, by: holder(file) };
    throw error;
  }
  writeFileSync(`${file}.holder`, `${me}\n`, { mode: 0o600 });
  return {
    release() {
      if (!sqlite.open) return;
      sqlite.exec("ROLLBACK");
      sqlite.close();
    },
  };
}

/** Who holds the lock, as the holder wrote it. */
function holder(file: string): string {
  try {
    return readFileSync(`${file}.holder`, "utf8").trim() || "another daemon";
  } catch {
    return "another daemon";
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
