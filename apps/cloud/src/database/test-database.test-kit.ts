import { createHash, randomBytes, randomUUID } from "node:crypto";
import { openTestCluster } from "@codehands/pg-embedded/test-cluster";
import postgres from "postgres";
import { applyMigrations } from "./apply-migrations.ts";
import { type CloudDatabase, openCloudDatabase } from "./open-cloud-database.ts";
import { MIGRATIONS, readMigrations } from "./read-migrations.ts";

export interface TestDatabase {
  url: string;
  database: CloudDatabase;
  /** Closes the clients and drops the database. */
  drop(): Promise<void>;
}

const TEMPLATE_TURN = 42_001;

/** A migrated database of its own for one test file, copied from a template in some milliseconds. */
export async function openTestDatabase(options: { connections?: number } = {}): Promise<TestDatabase> {
  const url = await makeTestDatabase("migrated");
  const database = await openCloudDatabase(url, options);
  return {
    url,
    database,
    async drop() {
      await database.close(0);
      await dropTestDatabase(url);
    },
  };
}

/** A database of its own, `empty` or `migrated`; its URL. Drop it at the end. */
export async function makeTestDatabase(kind: "empty" | "migrated"): Promise<string> {
  const { url } = await openTestCluster();
  const name = `t_${randomBytes(8).toString("hex")}`;
  await withClient(url, async (sql) => {
    const template = kind === "migrated" ? await ensureTemplate(sql, url) : "template0";
    await sql.unsafe(`create database ${name} template ${template}`);
  });
  return at(url, name);
}

/** Drops it, whoever is still connected. */
export async function dropTestDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withClient(at(url, "postgres"), (sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
}

/** An account with devices that have said hello: the ids. */
export async function makeAccount(
  sql: postgres.Sql,
  devices = 1,
): Promise<{ accountId: string; epoch: string; devices: { deviceId: string; boot: string }[] }> {
  const accountId = randomUUID();
  const [account] = await sql<{ epoch: string }[]>`insert into accounts (id) values (${accountId}) returning epoch`;
  const made = Array.from({ length: devices }, () => ({ deviceId: randomUUID(), boot: randomUUID() }));
  for (const { deviceId, boot } of made)
    await sql`
      insert into devices (account_id, id, boot_id, sign, agree, roles, platform)
      values (${accountId}, ${deviceId}, ${boot}, ${randomBytes(32)}, ${randomBytes(32)}, '{admin,command,run}', 'linux')`;
  return { accountId, epoch: account?.epoch ?? "", devices: made };
}

async function ensureTemplate(sql: postgres.Sql, url: string): Promise<string> {
  const migrations = readMigrations(MIGRATIONS);
  const name = `template_${createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16)}`;
  await sql`select pg_advisory_lock(${TEMPLATE_TURN})`;
  const found = await sql`select 1 from pg_database where datname = ${name}`;
  if (found.length === 0) {
    await sql.unsafe(`drop database if exists ${name}_draft with (force)`);
    await sql.unsafe(`create database ${name}_draft template template0`);
    await withClient(at(url, `${name}_draft`), (own) => applyMigrations(own, migrations));
    await sql.unsafe(`alter database ${name}_draft rename to ${name}`);
  }
  await sql`select pg_advisory_unlock(${TEMPLATE_TURN})`;
  return name;
}

function at(url: string, database: string): string {
  const own = new URL(url);
  own.pathname = `/${database}`;
  return own.href;
}

async function withClient<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
