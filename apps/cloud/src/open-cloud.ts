import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Embedded, startEmbedded } from "@codehands/pg-embedded";
import { keepSecret } from "./accounts/keep-secret.ts";
import type { CloudConfig } from "./config.ts";
import { type CloudDatabase, openCloudDatabase } from "./database/open-cloud-database.ts";
import { openReadiness } from "./health/readiness.ts";
import { parseNetworks } from "./http/client-address.ts";
import { type OpenHttp, openHttp } from "./http/open-http.ts";
import { openParts, type RunningParts } from "./http/open-parts.ts";
import { ownOrigins } from "./http/own-origins.ts";
import type { Log } from "./logs/open-log.ts";
import { warnOfPlainHttp } from "./logs/warn-of-plain-http.ts";
import { beginNewLineages, noticeRestore } from "./sync/lineage.ts";

/** How long the answers under way may take once the server stops. */
const DRAIN_MS = 20_000;
/** A stream lives as long as the token that opened it could. */
const STREAM_MS = 60 * 60 * 1_000;

export interface CloudOptions {
  config: CloudConfig;
  log: Log;
  /** Shorter in tests. */
  streamMs?: number;
}

export interface Cloud {
  port: number;
  origins: readonly string[];
  /** Streams of pokes that are open now, and what listens for pokes. */
  listeners(): { streams: number; bus: number };
  /** Ends in order: /readyz says 503, no new connections, streams say bye, answers under way are given, all is closed. */
  close(): Promise<void>;
}

interface Opened {
  http: OpenHttp | null;
  embedded: Embedded | null;
  database: CloudDatabase | null;
  parts: RunningParts | null;
}

/** Starts a cloud. Whatever was opened is closed again when something cannot be. */
export async function openCloud(options: CloudOptions): Promise<Cloud> {
  const { config, log } = options;
  const stopping = new AbortController();
  // Every open stream listens to it.
  setMaxListeners(0, stopping.signal);
  const opened: Opened = { http: null, embedded: null, database: null, parts: null };
  const readiness = openReadiness(() => opened.database?.sql ?? null);

  async function closeAll(drainMs: number): Promise<void> {
    readiness.become("stopping");
    if (drainMs > 0 && config.stopNotice > 0)
      await new Promise((resolve) => setTimeout(resolve, config.stopNotice * 1_000));
    const drained = opened.http?.drain(drainMs);
    stopping.abort();
    await drained;
    await opened.parts?.close();
    await opened.database?.close();
    await opened.embedded?.stop();
  }

  try {
    const secret = config.secret ?? keepSecret(config.dataDir);
    opened.http = await openHttp({
      ...config,
      parts: () => opened.parts,
      readiness,
      trustedProxies: networksOf(config),
      version: readVersion(),
      log,
      origins: (port) => originsOf(config, port),
    });
    const { port, origins } = opened.http;
    warnOfPlainHttp(config, origins, log);
    if (config.databaseUrl === null)
      opened.embedded = await startEmbedded({ dataDir: join(config.dataDir, "database") });
    opened.database = await openCloudDatabase(config.databaseUrl ?? opened.embedded?.url ?? "");
    await beginAnew(opened.database, { restored: config.restored, log });
    const { database } = opened;
    const { signUp } = config;
    const streamMs = options.streamMs ?? STREAM_MS;
    opened.parts = openParts({ database, origins, secret, signUp, log, stopping: stopping.signal, streamMs });
    readiness.become("ready");
    log.info({ port, origins, version: readVersion(), embedded: opened.embedded !== null }, "listening");
  } catch (error) {
    await closeAll(0);
    throw error;
  }

  const { http, parts } = opened;
  let closing: Promise<void> | null = null;
  return {
    port: http.port,
    origins: http.origins,
    listeners: () => parts.listeners(),
    close: () => (closing ??= closeAll(DRAIN_MS)),
  };
}

/** After a restore every account gets a new lineage: told by the operator, or noticed by what the database says of itself. */
async function beginAnew({ sql }: CloudDatabase, { restored, log }: { restored: boolean; log: Log }): Promise<void> {
  const noticed = await noticeRestore(sql);
  if (restored && !noticed) await beginNewLineages(sql);
  if (restored || noticed) log.warn({ noticed }, "the database was restored: every account has a new lineage");
}

function originsOf(config: CloudConfig, port: number): readonly string[] {
  if (config.origins.length > 0) return config.origins;
  return ownOrigins({
    host: config.host,
    port,
    tls: config.tls !== null,
    hostname: hostname(),
    interfaces: networkInterfaces(),
  });
}

function networksOf(config: CloudConfig) {
  const networks = parseNetworks(config.trustedProxies);
  if (!networks.ok) throw new TypeError("trusted proxies were not checked");
  return networks.list;
}

function readVersion(): string {
  const about = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return about.version;
}
