import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";
import type { Haystack } from "./planted-words.test-kit.ts";

interface Column {
  schema: string;
  table: string;
  columns: { name: string; type: string }[];
}

/**
 * Every cell of every table of every schema, the catalogs and what the planner has learned of the rows included: bytes
 * as they are, everything else as text, and text that is hex or base64 once more as the bytes it stands for.
 */
export async function dumpDatabase(sql: Sql): Promise<{ tables: string[]; cells: Haystack[] }> {
  await sql`analyze`;
  const tables = await sql<Column[]>`
    select nspname as schema, relname as table,
      json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p', 'm', 't') and attnum > 0 and not attisdropped
    group by nspname, relname order by 1, 2`;
  const cells: Haystack[] = [];
  for (const { schema, table, columns } of tables) {
    const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
    const list = columns.map(({ name, type }) => (type === "bytea" ? quoted(name) : `${quoted(name)}::text`));
    const rows = await sql.unsafe(`select ${list.join(", ")} from ${quoted(schema)}.${quoted(table)}`).values();
    for (const row of rows)
      for (const [place, cell] of row.entries())
        cells.push(...cellOf(`${schema}.${table}.${columns[place]?.name}`, cell as string | Buffer | null));
  }
  return { tables: tables.map(({ schema, table }) => `${schema}.${table}`), cells };
}

function cellOf(place: string, cell: string | Buffer | null): Haystack[] {
  if (cell === null) return [];
  if (typeof cell !== "string") return [{ place, bytes: cell }];
  const encoding = encodingOf(cell);
  const meant = encoding === null ? [] : [{ place, bytes: Buffer.from(cell, encoding) }];
  return [{ place, bytes: Buffer.from(cell) }, ...meant];
}

function encodingOf(text: string): "hex" | "base64" | null {
  if (text.length < 8) return null;
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return "hex";
  return /^[\w+/-]+={0,2}$/.test(text) ? "base64" : null;
}

/**
 * The files of this database, the journal written since `since` and the server's own log: what was deleted or
 * overwritten still lies in them.
 */
export async function readServerFiles(sql: Sql, since: Date): Promise<Haystack[]> {
  await sql`checkpoint`;
  const [server] = await sql<{ folder: string; database: string }[]>`
    select current_setting('data_directory') as folder, oid::text as database from pg_database where datname = current_database()`;
  if (server === undefined) throw new Error("no database");
  const filesIn = (...path: string[]): string[] => {
    const folder = join(server.folder, ...path);
    return readdirSync(folder).map((name) => join(folder, name));
  };
  const files = [...filesIn("base", server.database), ...filesIn("pg_wal"), join(server.folder, "..", "server.log")];
  return files
    .filter((file) => statSync(file).isFile() && statSync(file).mtime >= since)
    .map((file) => ({ place: file.slice(server.folder.length + 1), bytes: readFileSync(file) }));
}
