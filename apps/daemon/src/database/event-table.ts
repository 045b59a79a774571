import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The events of all sessions, for reading: the table itself is `without rowid` and made by migration 0001. */
export const events = sqliteTable(
  "events",
  {
    sessionId: text("session_id").notNull(),
    seq: integer("seq").notNull(),
    id: text("id").notNull().unique(),
    type: text("type").notNull(),
    at: text("at").notNull(),
    payload: text("payload").notNull(),
    runId: text("run_id"),
    /** The chain value up to and with this event, once it is chained. */
    hash: blob("hash", { mode: "buffer" }),
    keyEpoch: integer("key_epoch"),
    /** The number it had before it was numbered anew. */
    wasSeq: integer("was_seq"),
    /** The exact line, when the cells cannot tell it: another version of this program wrote it. */
    line: text("line"),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.seq] })],
);
