import { TABLE_WRITERS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { checkWriterList, checkWriters } from "./check-writers.ts";
import { readTree, type SourceFile } from "./source-tree.ts";

const tree = readTree();

describe("one writer file for each table", () => {
  test("rows are changed in that file and nowhere else", () => {
    expect(checkWriters(tree, TABLE_WRITERS)).toEqual([]);
  });
  test("every table of the database is listed, and every listed writer writes", () => {
    expect(checkWriterList(tree, TABLE_WRITERS)).toEqual([]);
  });
});

const writers = { sessions: "sessions/session-rows.ts", events: "sessions/event-log.ts" };
const schema: SourceFile = {
  path: "apps/daemon/src/database/schema.ts",
  text: 'export const sessions = sqliteTable("sessions", {});\nexport const eventRows = sqliteTable(\n  "events",\n  {});',
};
const at = (path: string, text: string): SourceFile[] => [schema, { path: `apps/daemon/src/${path}`, text }];

describe("planted violations are found", () => {
  test.each([
    ['db.exec("INSERT INTO sessions (id) VALUES (1)")', "writes sessions"],
    ["db.prepare(`insert or replace\n  into sessions values (?)`)", "writes sessions"],
    ['db.prepare("REPLACE INTO events VALUES (?)")', "writes events"],
    ["db.prepare('update sessions set status = ?')", "writes sessions"],
    ["db.prepare('update or ignore \"sessions\" set status = ?')", "writes sessions"],
    ["db.prepare('UPDATE sessions AS s SET status = ?')", "writes sessions"],
    ['db.exec("delete from [events] where 1")', "writes events"],
    ["db.run(sql`delete from ${eventRows} where 1`)", "writes events"],
    ["db.insert(sessions).values({})", "writes sessions"],
    ["db\n  .update(eventRows)\n  .set({})", "writes events"],
    ["db.delete(schema.sessions)", "writes sessions"],
    ['import { eventRows as rows } from "./schema.ts";\ndb.insert(rows)', "writes events"],
    ["db.exec(`delete from ${name}`)", "does not name"],
    ['db.exec("insert into secrets values (1)")', "secrets, which has no writer"],
  ])("%s", (text, says) => {
    expect(checkWriters(at("supervisor/run-session.ts", text), writers)).toEqual([expect.stringContaining(says)]);
  });

  test("a statement in the writer of another table", () => {
    expect(checkWriters(at("sessions/event-log.ts", "db.insert(sessions)"), writers)).toHaveLength(1);
  });

  test.each([
    ["sessions/session-rows.ts", "db.insert(sessions); db.exec('update sessions set a = 1')"],
    ["sessions/event-log.ts", "db.exec('insert into events values (1)')"],
    ["sessions/list-sessions.ts", "db.select().from(sessions); db.exec('select * from sessions')"],
    ["sessions/watchers.ts", "watchers.delete(sessionId); open.delete(key)"],
    ["sessions/notes.ts", "// An update of sessions that settles nothing is no change."],
    ["sessions/plant.test.ts", "db.exec('delete from events')"],
  ])("and what is allowed is not: %s: %s", (path, text) => {
    expect(checkWriters(at(path, text), writers)).toEqual([]);
  });

  test("a table without a writer, a writer without a table, a writer that does not write", () => {
    const migration = { path: "apps/daemon/migrations/0000_first.sql", text: "CREATE TABLE `orphans` (`id` text);" };
    const rows = at("sessions/session-rows.ts", "db.insert(sessions)");
    expect(checkWriterList([...rows, migration], { ...writers, trash: "trash/trash-rows.ts" })).toEqual([
      "orphans has no writer",
      "sessions/event-log.ts is to write events and does not",
      "trash is listed in TABLE_WRITERS and in no schema",
    ]);
  });
});
