import { isCode, isFixture, isTest, type SourceFile, violation } from "./source-tree.ts";

/** The folder that the writers of a table list are relative to. */
const SOURCES = "apps/daemon/src/";

interface Write {
  /** Null when the text does not say which table. */
  table: string | null;
  index: number;
}

// The table's name stands in the text, quoted or not, or as `${table}`.
const TABLE = String.raw`(?:["'\`\[]?(?<name>[A-Za-z_]\w*)|\$\{\s*(?<hole>[\w.]+)[^}]*\})`;
const SQL_FORMS = [
  new RegExp(String.raw`\b(?:insert(?:\s+or\s+\w+)?|replace)\s+into\s+${TABLE}`, "gi"),
  new RegExp(String.raw`\bupdate(?:\s+or\s+\w+)?\s+${TABLE}["'\`\]]?\s+(?:as\s+\w+\s+)?set\b`, "gi"),
  new RegExp(String.raw`\bdelete\s+from\s+${TABLE}`, "gi"),
];
const BUILDER = /\.(?:insert|update|delete)\(\s*(?<name>[A-Za-z_$][\w$.]*)\s*\)/g;
const DECLARED = /\b(?:const|let)\s+(\w+)\s*=\s*sqliteTable\(\s*["'`](\w+)["'`]/g;
const CREATED = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?["'`[]?(\w+)/gi;

/** The variables that stand for tables in the query builder: variable → table. */
export function tableVariables(files: readonly SourceFile[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files)
    for (const [, variable, table] of file.text.matchAll(DECLARED)) found.set(variable ?? "", table ?? "");
  return found;
}

/** A file's own names for what it imports: `import { sessions as rows }`. */
function aliases(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [clause] of text.matchAll(/^import\b[^;"']*\bfrom\b/gm))
    for (const [, name, alias] of clause.matchAll(/(\w+)\s+as\s+(\w+)/g)) found.set(alias ?? "", name ?? "");
  return found;
}

/** Every statement of a file that changes rows. */
export function findWrites(file: SourceFile, variables: ReadonlyMap<string, string>): Write[] {
  const own = aliases(file.text);
  const tableOf = (expression: string): string | undefined => {
    const last = expression.split(".").at(-1) ?? "";
    return variables.get(own.get(last) ?? last);
  };
  const writes: Write[] = [];
  for (const form of SQL_FORMS)
    for (const { groups = {}, index } of file.text.matchAll(form))
      writes.push({ table: groups.name?.toLowerCase() ?? tableOf(groups.hole ?? "") ?? null, index });
  for (const { groups = {}, index } of file.text.matchAll(BUILDER)) {
    const table = tableOf(groups.name ?? "");
    // Maps and sets have a delete as well.
    if (table !== undefined) writes.push({ table, index });
  }
  return writes;
}

const judged = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(
    (file) => file.path.startsWith(SOURCES) && isCode(file.path) && !isTest(file.path) && !isFixture(file.path),
  );

/** Rows are changed in the table's one writer file and nowhere else. */
export function checkWriters(files: readonly SourceFile[], writers: Readonly<Record<string, string>>): string[] {
  const sources = judged(files);
  const variables = tableVariables(sources);
  return sources.flatMap((file) =>
    findWrites(file, variables).flatMap(({ table, index }) => {
      if (table === null) return [violation(file, index, "writes a table that its text does not name")];
      const writer = writers[table];
      if (writer === undefined)
        return [violation(file, index, `writes ${table}, which has no writer in TABLE_WRITERS`)];
      return file.path === SOURCES + writer ? [] : [violation(file, index, `writes ${table}: only ${writer} may`)];
    }),
  );
}

/** The list and the database name the same tables, and every listed writer writes. */
export function checkWriterList(files: readonly SourceFile[], writers: Readonly<Record<string, string>>): string[] {
  const sources = judged(files);
  const variables = tableVariables(sources);
  const created = files
    .filter((file) => file.path.startsWith("apps/daemon/") && file.path.endsWith(".sql"))
    .flatMap((file) => [...file.text.matchAll(CREATED)].map((match) => match[1] ?? ""));
  const tables = new Set([...variables.values(), ...created]);
  const unlisted = [...tables].filter((table) => !(table in writers)).map((table) => `${table} has no writer`);
  const idle = Object.entries(writers).flatMap(([table, writer]) => {
    if (!tables.has(table)) return [`${table} is listed in TABLE_WRITERS and in no schema`];
    const file = sources.find((each) => each.path === SOURCES + writer);
    const writes = file !== undefined && findWrites(file, variables).some((write) => write.table === table);
    return writes ? [] : [`${writer} is to write ${table} and does not`];
  });
  return [...unlisted, ...idle];
}
