/** The tables of people's logins. What they hold besides comes from better-auth, which names the fields. */
import { bigint, boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { pairings } from "../database/schema.ts";

const at = (name: string) => timestamp(name, { withTimezone: true });

export const authUsers = pgTable("auth_users", {
  /** The account's id as well. */
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  createdAt: at("created_at").notNull().defaultNow(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

export const authLogins = pgTable(
  "auth_logins",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => authUsers.id, { onDelete: "cascade" }),
    token: text("token").notNull().unique(),
    expiresAt: at("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [index("auth_logins_user").on(table.userId)],
);

export const authCredentials = pgTable(
  "auth_credentials",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => authUsers.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: at("access_token_expires_at"),
    refreshTokenExpiresAt: at("refresh_token_expires_at"),
    scope: text("scope"),
    /** scrypt, see hash-password.ts. */
    password: text("password"),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [index("auth_credentials_user").on(table.userId)],
);

export const authVerifications = pgTable(
  "auth_verifications",
  {
    id: uuid("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: at("expires_at").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [index("auth_verifications_identifier").on(table.identifier)],
);

/** Tries that are limited (see `limits/`). Keys are hashes; the columns are those of rate-limiter-flexible. */
export const rateLimits = pgTable("rate_limits", {
  key: text("key").primaryKey(),
  points: integer("points").notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint("expire", { mode: "number" }),
});

/** Which statement let the new device of a pairing in; it goes with the pairing. */
export const pairingApprovals = pgTable("pairing_approvals", {
  pairingId: uuid("pairing_id")
    .primaryKey()
    .references(() => pairings.id, { onDelete: "cascade" }),
  seq: integer("seq").notNull(),
  recipient: uuid("recipient").notNull(),
});
