import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestCluster } from "@codehands/pg-embedded/test-cluster";
import postgres from "postgres";
import { until } from "./temp-home.ts";

const MAIN = new URL("../../apps/cloud/dist/main.js", import.meta.url).pathname;

/** The built cloud as a process of its own, with a database of its own on the PostgreSQL that the test run shares. */
export interface CloudProcess {
  url: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Kills it the hard way; the data stays, `start` brings it back at the same address. */
  kill(): Promise<void>;
  /** Ends it in order; the data stays. */
  rest(): Promise<void>;
  start(words?: readonly string[], more?: Record<string, string>): Promise<void>;
  /** Where its data lies: to be copied and put back while it rests. */
  dataDir: string;
}

/** As above, with a PostgreSQL of its own in `dataDir`: for a test that copies it or puts it back. */
export const openOwnCloudProcess = (): Promise<CloudProcess> => openOn(null);

/** Starts the built cloud. Callers may say where they come from (`x-forwarded-for`), since limits count by address. */
export async function openCloudProcess(env: Record<string, string> = {}): Promise<CloudProcess> {
  const cluster = (await openTestCluster()).url;
  const name = `cloud_${randomBytes(8).toString("hex")}`;
  await onCluster(cluster, (sql) => sql.unsafe(`create database ${name}`));
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  const database = {
    url: url.href,
    drop: () => onCluster(cluster, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)),
  };
  return openOn(database, env);
}

async function onCluster(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

async function openOn(
  database: { url: string; drop(): Promise<void> } | null,
  env: Record<string, string> = {},
): Promise<CloudProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "codehands-cloud-process-"));
  let port = 0;
  let child: ChildProcess | null = null;

  async function start(words: readonly string[] = [], more: Record<string, string> = {}): Promise<void> {
    const own = {
      PATH: process.env["PATH"] ?? "",
      HOME: dataDir,
      CODEHANDS_CLOUD_DATA_DIR: dataDir,
      CODEHANDS_CLOUD_PORT: String(port),
      CODEHANDS_CLOUD_TRUSTED_PROXIES: "127.0.0.1",
      CODEHANDS_CLOUD_STOP_NOTICE: "0",
      CODEHANDS_CLOUD_LOG_LEVEL: "error",
      ...(database && { DATABASE_URL: database.url }),
      ...env,
      ...more,
    };
    const started = spawn(process.execPath, [MAIN, ...words], {
      cwd: dataDir,
      env: own,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    let said = "";
    started.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await until(() => / \(port \d+, /.test(said) || started.exitCode !== null, 90);
    const found = / \(port (\d+), /.exec(said)?.[1];
    if (found === undefined) throw new Error(`The cloud did not start:\n${said}`);
    port = Number(found);
  }

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null) return;
    const gone = once(ending, "exit");
    ending.kill(signal);
    await gone;
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    dataDir,
    kill: () => end("SIGKILL"),
    rest: () => end("SIGTERM"),
    async stop() {
      await end("SIGTERM");
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let addresses = 0;
/** `fetch` from an address that nobody else of this run has: limits of a cloud count by it. */
export function fetchFromOwnAddress(): typeof fetch {
  addresses += 1;
  const address = `198.19.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", address);
    return fetch(url, { ...init, headers });
  };
}
