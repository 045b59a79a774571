import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import { applyMigrations } from "./apply-migrations.ts";
import { openSocket } from "./open-socket.ts";
import { MIGRATIONS, type Migration, readMigrations } from "./read-migrations.ts";

export interface CloudDatabase {
  /** For what must be quick. bigint columns come as numbers, bytea as Buffer, timestamptz as Date. */
  readonly sql: Sql;
  /** On a client of its own: drizzle changes how a client reads and writes dates and JSON. */
  readonly db: PostgresJsDatabase;
  /** Ends both clients. What is under way gets `patience` seconds (default 5), then it is refused. */
  close(patience?: number): Promise<void>;
}

export interface OpenCloudDatabaseOptions {
  /** Connections of the quick client; drizzle's has half as many. Default 10. */
  connections?: number;
  migrations?: readonly Migration[];
  beforeStatement?: (version: number, index: number) => void | Promise<void>;
}

/**
 * Connects and brings the schema up to date. Throws a CloudError `database_newer` or `migrations_broken`, or what the
 * client says when the server cannot be reached.
 */
export async function openCloudDatabase(url: string, options: OpenCloudDatabaseOptions = {}): Promise<CloudDatabase> {
  const connections = options.connections ?? 10;
  const sql = connectRaw(url, connections);
  try {
    await applyMigrations(sql, options.migrations ?? readMigrations(MIGRATIONS), options.beforeStatement);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  const own = postgres(url, clientOptions(Math.max(1, Math.floor(connections / 2))));
  return {
    sql,
    db: drizzle(own),
    close: async (patience = 5) => {
      await Promise.all([sql.end({ timeout: patience }), own.end({ timeout: patience })]);
    },
  };
}

/** A client for plain SQL, as the cloud uses it. Connects when it is first asked. */
export function connectRaw(url: string, connections: number): Sql {
  const bigint = { to: 20, from: [20], parse: Number, serialize: String };
  return postgres(url, { ...clientOptions(connections), types: { bigint } });
}

function clientOptions(connections: number): Options<Record<string, never>> & { socket: typeof openSocket } {
  return {
    max: connections,
    connect_timeout: 5,
    // A server that comes back is noticed at once; the default waits up to 20 s.
    backoff: (tries) => Math.min(0.05 * 2 ** tries, 1),
    onnotice: () => {},
    socket: openSocket,
    connection: { application_name: "codehands" },
  };
}
