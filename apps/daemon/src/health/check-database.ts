import { statSync } from "node:fs";
import type { CheckView } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { readMeta } from "../home/meta.ts";
import { found, sizeWords } from "./check.ts";

/** Whether the database is whole: schema, size, and SQLite's own check. */
export function checkDatabase(store: OpenDatabase, file: string): CheckView {
  const schema = readMeta(store, "schema_version") ?? "unknown";
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const size = sizeWords(sizeOf(file) + sizeOf(`${file}-wal`));
  const check = store.sqlite.pragma("quick_check(1)", { simple: true });
  if (check !== "ok") {
    const fix = `codehands daemon stop, then put a backup in the place of ${file}`;
    return found.fail(["database", "state.db"], `schema ${schema}, ${size}, damaged: ${String(check)}`, fix);
  }
  const sqlite = store.sqlite.prepare("select sqlite_version()").pluck().get() as string;
  return found.ok(["database", "state.db"], `schema ${schema}, ${size}, integrity ok, SQLite ${sqlite}`);
}
