import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** Bytes as they are. */
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
/** Versions and seqs stay far below 2^53. */
const int8 = () => bigint({ mode: "number" });
const instant = () => timestamp({ withTimezone: true });

/** What the database says about itself: where it was last started, for noticing a restore. */
export const cloudMeta = pgTable("cloud_meta", { key: text().primaryKey(), value: text().notNull() });

export const accounts = pgTable("accounts", {
  id: uuid().primaryKey().defaultRandom(),
  /** First 16 bytes of the hash of the roster's statement 0; null before there is a vault. */
  vault_id: bytea().unique(),
  /** The lineage: the life of the cloud between two restores. */
  epoch: uuid().notNull().defaultRandom(),
  head: int8().notNull().default(0),
  purged_to: int8().notNull().default(0),
  /** XOR over all live rows (S11). */
  sum: bigint({ mode: "bigint" }).notNull().default(sql`0`),
  /** Newest key epoch and statement of the roster; −1 while it has none. Written with the roster, in one transaction. */
  key_epoch: int8().notNull().default(0),
  roster_seq: integer().notNull().default(-1),
  created_at: instant().notNull().defaultNow(),
});

/** A cache of the roster, besides `boot_id` (S2) and what only the cloud knows. */
export const devices = pgTable(
  "devices",
  {
    account_id: uuid().notNull(),
    id: uuid().notNull(),
    /** The process that said hello last; null before its first. */
    boot_id: uuid(),
    sign: bytea().notNull(),
    agree: bytea().notNull(),
    roles: text().array().notNull(),
    platform: text().notNull(),
    created_at: instant().notNull().defaultNow(),
    last_seen_at: instant(),
    /** Cut off here, or removed from the roster. */
    revoked_at: instant(),
    /** Set when the roster removed it. */
    removed_at: instant(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.id] })],
);

export const records = pgTable(
  "records",
  {
    account_id: uuid().notNull(),
    kind: integer().notNull(),
    id: uuid().notNull(),
    version: int8().notNull(),
    rev: int8().notNull(),
    /** First 16 bytes of the item's hash (V14). */
    mac: bytea().notNull(),
    key_id: int8().notNull(),
    /** The sealed item whole, a deletion's too. */
    body: bytea().notNull(),
    deleted: boolean().notNull().default(false),
    writer: uuid().notNull(),
    received_at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.kind, table.id] }),
    index("records_feed").on(table.account_id, table.version),
    index("records_tombstones").on(table.account_id, table.received_at).where(sql`deleted`),
  ],
);

export const logs = pgTable(
  "logs",
  {
    account_id: uuid().notNull(),
    stream_id: uuid().notNull(),
    /** 1 session, 2 change. */
    kind: integer().notNull(),
    writer_device: uuid().notNull(),
    writer_epoch: int8().notNull(),
    last_seq: int8().notNull(),
    tail_mac: bytea().notNull(),
    version: int8().notNull(),
    deleted: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.stream_id] }),
    index("logs_feed").on(table.account_id, table.version),
  ],
);

export const segments = pgTable(
  "segments",
  {
    account_id: uuid().notNull(),
    stream_id: uuid().notNull(),
    from_seq: int8().notNull(),
    to_seq: int8().notNull(),
    prev_mac: bytea().notNull(),
    mac: bytea().notNull(),
    key_id: int8().notNull(),
    body: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.stream_id, table.from_seq] })],
);

/** Signed statements (V6). `body` is what was signed, byte for byte. */
export const roster = pgTable(
  "roster",
  {
    account_id: uuid().notNull(),
    seq: integer().notNull(),
    body: bytea().notNull(),
    sigs: jsonb().notNull().$type<{ by: string; sig: string }[]>(),
    hash: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.seq] })],
);

/** Root keys sealed for one recipient (V18): a device id, or the zero UUID for the recovery key. */
export const envelopes = pgTable(
  "envelopes",
  {
    account_id: uuid().notNull(),
    recipient: uuid().notNull(),
    seq: integer().notNull(),
    by: uuid().notNull(),
    context: bytea().notNull(),
    enc: bytea().notNull(),
    ct: bytea().notNull(),
    sig: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.recipient, table.seq] })],
);

export const challenges = pgTable(
  "challenges",
  {
    account_id: uuid().notNull(),
    hash: bytea().notNull(),
    device_id: uuid().notNull(),
    expires_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.hash] }), index("challenges_end").on(table.expires_at)],
);

export const accessTokens = pgTable(
  "access_tokens",
  {
    account_id: uuid().notNull(),
    hash: bytea().notNull(),
    device_id: uuid().notNull(),
    expires_at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.hash] }),
    index("access_tokens_hash").on(table.hash),
    index("access_tokens_end").on(table.expires_at),
  ],
);

/** A device expects a new one: whoever starts a pairing with it tells it which one. One pairing each. */
export const invitations = pgTable(
  "invitations",
  {
    account_id: uuid().notNull(),
    hash: bytea().notNull(),
    device_id: uuid().notNull(),
    pairing_id: uuid(),
    expires_at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.hash] }),
    index("invitations_hash").on(table.hash),
    index("invitations_end").on(table.expires_at),
  ],
);

/** A pairing belongs to no account until an offer is made. */
export const pairings = pgTable(
  "pairings",
  {
    id: uuid().primaryKey(),
    user_code_hash: bytea().notNull(),
    poll_hash: bytea().notNull().unique(),
    account_id: uuid(),
    platform: text().notNull(),
    place: text(),
    commit: bytea().notNull(),
    offer_by: uuid(),
    msg_o: bytea(),
    qr_tag: bytea(),
    enc: bytea(),
    ct: bytea(),
    state: text().notNull().$type<"open" | "offered" | "revealed" | "approved" | "redeemed" | "dead">(),
    created_at: instant().notNull().defaultNow(),
    expires_at: instant().notNull(),
  },
  (table) => [index("pairings_code").on(table.user_code_hash), index("pairings_end").on(table.expires_at)],
);
