import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { PROTOCOL_VERSION } from "@codehands/api";
import type { Runner, RunnerOptions } from "@codehands/contracts";
import { createRedactor, createRunner, repoKey } from "@codehands/runner";
import type { DaemonConfig } from "./config.ts";
import { openCrashPoint } from "./crash-point.ts";
import { openDatabase } from "./database/open-database.ts";
import { inTransaction } from "./database/transaction.ts";
import { openHome } from "./health/open-home.ts";
import { DaemonError } from "./home/daemon-error.ts";
import { beginBoot } from "./home/meta.ts";
import { removeDaemonFile, writeDaemonFile } from "./http/daemon-file.ts";
import { openHttp } from "./http/open-http.ts";
import { keepPort, readWishedPort } from "./http/wished-port.ts";
import { createIsoClock } from "./iso-clock.ts";
import { type Log, openLog } from "./logs/open-log.ts";
import { createDesktopNotices, type ShowNotice } from "./notices/desktop-notices.ts";
import { openParts } from "./open-parts.ts";

export interface Daemon {
  port: number;
  token: string;
  log: Log;
  /** Ends in order: no more calls, streams cut, writes drained, database closed, daemon.json gone, lock free. Agents go on. */
  close(): Promise<void>;
  /** Settles when the daemon has ended, whoever asked for it. */
  closed: Promise<void>;
}

export interface DaemonDeps {
  makeRunner?: (options: RunnerOptions) => Runner;
  /** ISO time of now. */
  clock?: () => string;
  /** Where the person at this machine is told something; its desktop when absent. */
  show?: ShowNotice;
  /** How the cloud is spoken to. */
  fetch?: typeof fetch;
}

/** How long work under way may take once the daemon ends; then the next start puts it in order, as after a crash. */
const DRAIN_MS = 30_000;

/**
 * Starts the daemon of one home. Throws a DaemonError whose message is for a person: the home is in use or not
 * private, the database cannot be opened, no port is free.
 */
export async function openDaemon(config: DaemonConfig, deps: DaemonDeps = {}): Promise<Daemon> {
  const { paths } = config;
  const clock = deps.clock ?? createIsoClock();
  const startedAt = clock();
  const token = randomBytes(32).toString("base64url");
  const version = readVersion();
  // What was opened, oldest first; it is closed in the opposite order, whether the start fails or the daemon ends.
  const opened: { name: string; close: () => void | Promise<void> }[] = [];
  let log: Log | null = null;
  let ending: Promise<void> | null = null;
  let settle = (): void => {};
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const close = (): Promise<void> => {
    ending ??= (async () => {
      for (const { name, close: end } of opened.toReversed()) {
        log?.info({ step: name }, "closing");
        await (async () => end())().catch((error: unknown) => log?.error({ step: name, error }, "closing failed"));
      }
      settle();
    })();
    return ending;
  };

  try {
    const lock = openHome(paths, `the daemon with pid ${process.pid}, started ${startedAt}`);
    opened.push({ name: "lock", close: lock.release });
    const file = openLog({ folder: paths.logs, redact: createRedactor({ CODEHANDS_TOKEN: token }) });
    log = file;
    opened.unshift({ name: "log", close: file.close });

    const store = openDatabase(paths.database);
    const boot = inTransaction(store, (tx) => beginBoot(tx));
    opened.push({ name: "daemon.json", close: () => removeDaemonFile(paths.daemonFile, boot.bootId) });
    opened.push({ name: "database", close: store.close });

    const parts = openParts({
      config,
      store,
      boot,
      version,
      startedAt,
      clock,
      log,
      deviceName: hostname(),
      crashPoint: openCrashPoint(config.crash, { log: config.crashLog }),
      makeRunner: deps.makeRunner ?? createRunner,
      repoKey,
      // The answer to this very call has to go out first: closing waits for it.
      shutdown: () => void setImmediate(() => void close()),
      redact: createRedactor(config.environment),
      show: deps.show ?? createDesktopNotices({ platform: process.platform, environment: config.environment }),
      ...(deps.fetch === undefined ? {} : { fetch: deps.fetch }),
    });
    opened.push({ name: "sync", close: () => withLimit(parts.own.close(), DRAIN_MS) });
    opened.push({ name: "supervisor", close: () => withLimit(parts.supervisor.drain(), DRAIN_MS) });

    const wished = await readWishedPort(paths.home, config.file.port);
    const serving = await openHttp({ ports: parts.ports, log, port: wished, token, version });
    if (!serving.ok) throw new DaemonError("cannot_listen", serving.reason);
    const { http } = serving;
    opened.push({ name: "http", close: http.close });
    const { port } = http;
    await keepPort(paths.home, port);
    const about = { port, token, bootId: boot.bootId, homeId: boot.homeId, version, startedAt };
    await writeDaemonFile(paths.daemonFile, { pid: process.pid, protocol: PROTOCOL_VERSION, ...about });
    if (port !== wished) log.warn({ wished, port }, "the wished port is taken, so another one is used");
    log.info({ port, addresses: http.addresses, version, bootId: boot.bootId }, "listening");

    await parts.supervisor.start();
    await parts.own.start();
    return { port, token, log, close, closed };
  } catch (error) {
    log?.error({ error }, "the daemon could not start");
    await close();
    throw error;
  }
}

async function withLimit(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DaemonError("closed", `Work under way did not end within ${ms} ms.`)), ms);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function readVersion(): string {
  const about = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return about.version;
}
