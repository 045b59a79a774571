import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, findEmbedded, startEmbedded } from "@codehands/pg-embedded";
import type { Sql } from "postgres";
import type { CloudConfig } from "../config.ts";
import { planMigrations } from "./apply-migrations.ts";
import { connectRaw } from "./open-cloud-database.ts";
import { MIGRATIONS, readMigrations } from "./read-migrations.ts";
import { isAway } from "./when-reachable.ts";

/** A cloud that starts or ends at this moment gets this long. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

export type DatabasePlace = Pick<CloudConfig, "databaseUrl" | "dataDir">;
export type OpenedBeside =
  /** One connection. `close` also ends the server that was started for it. */
  { ok: true; sql: Sql; close(): Promise<void> } | { ok: false; code: "no_cloud" | "busy" | "newer"; reason: string };

/**
 * Opens the database of a cloud for another program, whether that cloud runs or not: the embedded server that a living
 * cloud has is used beside it, else one is started. The schema is left as it is. Throws what the client or the embedded
 * server says when there is no way in.
 */
export async function openBesideCloud(place: DatabasePlace, patienceMs = PATIENCE_MS): Promise<OpenedBeside> {
  if (place.databaseUrl !== null) return connect(place.databaseUrl, async () => {});
  const folder = join(place.dataDir, "database");
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = findEmbedded(folder);
    if (found.state === "absent") return noCloud(`${place.dataDir} holds no database of a cloud.`);
    const late = performance.now() > end;
    try {
      if (found.state === "running") return await connect(found.url, async () => {});
      if (found.state === "stopped") {
        const server = await startEmbedded({ dataDir: folder });
        return await connect(server.url, () => server.stop());
      }
      if (late) return busy(found.pid);
    } catch (error) {
      // Somebody was faster, or ended the server just now: the next look sees which.
      const passes = isAway(error) || (error instanceof EmbeddedError && error.code === "in_use");
      if (late || !passes) throw error;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

async function connect(url: string, stop: () => Promise<void>): Promise<OpenedBeside> {
  const sql = connectRaw(url, 1);
  const close = async (): Promise<void> => {
    await sql.end({ timeout: 5 });
    await stop();
  };
  try {
    const refusal = await refuseSchema(sql);
    if (refusal === null) return { ok: true, sql, close };
    await close();
    return refusal;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database that no cloud made, or that this program is too old for. */
async function refuseSchema(sql: Sql): Promise<OpenedBeside | null> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('cloud_schema') is not null and to_regclass('auth_credentials') is not null as there`;
  if (table?.there !== true) return noCloud("No cloud has ever used this database.");
  const [found] = await sql<{ version: number; minSafeVersion: number }[]>`
    select coalesce(max(version), 0) as version, coalesce(max(min_safe_version), 0) as "minSafeVersion" from cloud_schema`;
  const plan = planMigrations(found ?? { version: 0, minSafeVersion: 0 }, readMigrations(MIGRATIONS));
  if (plan.ok) return null;
  const reason = `The database was written by a newer version of Code Hands (schema ${plan.needs}; this program knows ${plan.knows}). Nothing was changed. Use the version that the cloud has.`;
  return { ok: false, code: "newer", reason };
}

function noCloud(what: string): OpenedBeside {
  const reason = `${what} Nothing was changed. Give --data-dir or --database-url as you give it to codehands serve.`;
  return { ok: false, code: "no_cloud", reason };
}

function busy(pid: number): OpenedBeside {
  const reason = `The cloud (process ${pid}) runs, but its database takes no connections. Nothing was changed. Name the data folder as that process was given it, or end the cloud and try again.`;
  return { ok: false, code: "busy", reason };
}
