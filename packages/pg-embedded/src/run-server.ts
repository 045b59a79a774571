import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { asServerUser } from "./choose-user.ts";
import { EmbeddedError } from "./embedded-error.ts";
import type { Binaries } from "./find-binaries.ts";
import { type Cluster, serverUrl } from "./prepare-cluster.ts";
import { postmasterFile, readPostmaster } from "./read-postmaster.ts";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";
import { stopServer } from "./stop-server.ts";
import { waitUntil } from "./wait-until.ts";

/** After a power cut the server first reads its journal again. */
const READY_WITHIN = 120_000;
/** Children of a killed server need a moment to see that it is gone. */
const RETRY_WITHIN = 15_000;
/** A server that starts writes its pid down right after it made the file; who died in between left it empty. */
const EMPTY_FOR = 2_000;
const MAX_LOG_BYTES = 5 * 1024 * 1024;

export interface RunningServer {
  pid: number;
  port: number;
  url: string;
  child: ChildProcess;
}

export interface ServerSettings {
  /** A free port is taken when absent. */
  port?: number | undefined;
  fsync: boolean;
}

/** Starts the server on loopback only and returns when it takes connections. It outlives this process unless stopped. */
export async function runServer(
  binaries: Binaries,
  cluster: Cluster,
  settings: ServerSettings,
): Promise<RunningServer> {
  const end = performance.now() + RETRY_WITHIN;
  for (;;) {
    const port = settings.port ?? (await freePort());
    const from = beginLog(cluster);
    const child = launch(binaries, cluster, { ...settings, port });
    const pid = child.pid;
    if (pid === undefined) throw cannotStart(cluster, "its program could not be started.");
    const state = await waitUntil(READY_WITHIN, () => stateOf(child, cluster));
    if (state === "ready") {
      child.unref();
      return { pid, port, url: serverUrl(cluster.secret, port), child };
    }
    await stopServer(pid);
    const said = readFileSync(cluster.log).subarray(from).toString("utf8").trim();
    if (/lock file "postmaster.pid" already exists/.test(said)) throw inUse(cluster);
    const wasEmpty = /lock file "postmaster.pid" is empty/.test(said);
    if (wasEmpty) await settleEmptyFile(cluster);
    const isTaken = settings.port === undefined && /in use/.test(said);
    const passes = wasEmpty || isTaken || /pre-existing shared memory/.test(said);
    if (!passes || performance.now() > end) throw cannotStart(cluster, said.split("\n").slice(-6).join("\n"));
  }
}

/** Waits for the other start that made the pid file a moment ago; removes it when there is none, or nobody could ever start. */
async function settleEmptyFile({ folder }: Cluster): Promise<void> {
  const settled = await waitUntil(EMPTY_FOR, () => (isEmptyFile(postmasterFile(folder)) ? null : true));
  if (settled === null) rmSync(postmasterFile(folder), { force: true });
}

function isEmptyFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}

function stateOf(child: ChildProcess, cluster: Cluster): "ready" | "gone" | null {
  if (child.exitCode !== null || child.signalCode !== null) return "gone";
  const written = readPostmaster(cluster.folder);
  return written?.pid === child.pid && written?.ready === true ? "ready" : null;
}

function launch(binaries: Binaries, cluster: Cluster, settings: { port: number; fsync: boolean }): ChildProcess {
  const { program, args, identity } = asServerUser(cluster.user, binaries.postgres, [
    ...["-D", cluster.folder],
    ...["-c", "listen_addresses=127.0.0.1"],
    ...["-c", `port=${settings.port}`],
    ...["-c", "unix_socket_directories="],
    ...["-c", "timezone=UTC", "-c", "log_timezone=UTC"],
    // A kill loses nothing either way; without it a power cut may. full_page_writes is of use with it only.
    ...(settings.fsync ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"]),
  ]);
  const log = openSync(cluster.log, "a", 0o600);
  try {
    // A session of its own: a ctrl-C in the terminal must not end the server before its clients.
    const child = spawn(program, args, {
      cwd: "/",
      detached: true,
      env: SERVER_ENVIRONMENT,
      stdio: ["ignore", log, log],
      ...identity,
    });
    child.on("error", () => {});
    return child;
  } finally {
    closeSync(log);
  }
}

/** The log's size before this start; a log that grew too long is begun anew. */
function beginLog(cluster: Cluster): number {
  closeSync(openSync(cluster.log, "a", 0o600));
  if (statSync(cluster.log).size > MAX_LOG_BYTES) {
    rmSync(cluster.log);
    closeSync(openSync(cluster.log, "a", 0o600));
  }
  if (cluster.user.how === "as") chownSync(cluster.log, cluster.user.uid, cluster.user.uid);
  return statSync(cluster.log).size;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function inUse(cluster: Cluster): EmbeddedError {
  return new EmbeddedError(
    "in_use",
    `${cluster.folder} is in use: another program started its server at this moment. Nothing was changed. Stop that program first, or name another data folder.`,
  );
}

function cannotStart(cluster: Cluster, said: string): EmbeddedError {
  return new EmbeddedError(
    "cannot_start",
    `The built-in PostgreSQL does not start: ${said}\nIts data was kept in ${cluster.folder}; its log is ${cluster.log}.`,
  );
}
