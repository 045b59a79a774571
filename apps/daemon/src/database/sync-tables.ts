/**
 * What this device holds of its account: the memory of the sync, sealed records and other devices' events (contract L1).
 * Cells with JSON are plain text, as in `schema.ts`. No key and no token is ever in one of these tables.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row: what the sync remembers of its exchanges with the cloud. */
export const syncState = sqliteTable(
  "sync_state",
  { one: integer("one").primaryKey(), body: text("body").notNull() },
  (t) => [check("sync_state_one", sql`${t.one} = 1`)],
);

/** One row: the account, without its roster. */
export const account = sqliteTable(
  "account",
  {
    one: integer("one").primaryKey(),
    body: text("body").notNull(),
    /** The highest n that was handed out (V22). */
    lastN: integer("last_n").notNull(),
  },
  (t) => [check("account_one", sql`${t.one} = 1`)],
);

/** The signed statements of the account's roster, in their order. */
export const roster = sqliteTable("roster", {
  position: integer("position").primaryKey(),
  body: text("body").notNull(),
});

export const syncRecords = sqliteTable(
  "sync_records",
  {
    kind: integer("kind").notNull(),
    id: text("id").notNull(),
    rev: integer("rev").notNull(),
    /** Null while it cannot be opened. */
    body: text("body"),
    deleted: integer("deleted").notNull(),
    writer: text("writer").notNull(),
    mac: text("mac").notNull(),
    item: text("item").notNull(),
    /** The cloud's row as last seen; null when it has none. */
    base: text("base"),
    dirty: text("dirty").notNull(),
    blocked: text("blocked"),
    quarantine: text("quarantine"),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index("sync_records_dirty").on(t.dirty)],
);

export const syncLogs = sqliteTable(
  "sync_logs",
  {
    streamId: text("stream_id").primaryKey(),
    kind: integer("kind").notNull(),
    writer: text("writer").notNull(),
    mine: integer("mine").notNull(),
    followed: integer("followed").notNull(),
    dead: integer("dead").notNull(),
    row: text("row"),
    lastSeq: integer("last_seq").notNull(),
    tailMac: text("tail_mac").notNull(),
    pushedSeq: integer("pushed_seq").notNull(),
    finalSeq: integer("final_seq").notNull(),
    waiting: integer("waiting").notNull(),
    generation: integer("generation").notNull(),
    blocked: text("blocked"),
    /** 1 when something of it is to be sent, fetched or decided. */
    unsettled: integer("unsettled").notNull(),
  },
  (t) => [index("sync_logs_unsettled").on(t.unsettled)],
);

/** Events of other devices' sessions and of change streams, as the exact lines that their owner chained. */
export const replicaEvents = sqliteTable(
  "replica_events",
  {
    streamId: text("stream_id").notNull(),
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
    mac: text("mac").notNull(),
    line: text("line").notNull(),
  },
  (t) => [primaryKey({ columns: [t.streamId, t.seq] })],
);

/** Events that wait for a number (S17). */
export const waitingEvents = sqliteTable(
  "waiting_events",
  {
    streamId: text("stream_id").notNull(),
    n: integer("n").notNull(),
    id: text("id").notNull(),
    line: text("line").notNull(),
  },
  (t) => [primaryKey({ columns: [t.streamId, t.n] })],
);

/** Events that a reader holds and the cloud has no more (S17). */
export const orphans = sqliteTable(
  "orphans",
  { streamId: text("stream_id").notNull(), id: text("id").notNull(), line: text("line").notNull() },
  (t) => [index("orphans_stream").on(t.streamId)],
);

/** The sealed change of each own session: its newest stream and the one before it. */
export const changes = sqliteTable("changes", {
  sessionId: text("session_id").primaryKey(),
  treeId: text("tree_id").notNull(),
  streamId: text("stream_id").notNull(),
  previousStreamId: text("previous_stream_id"),
});
