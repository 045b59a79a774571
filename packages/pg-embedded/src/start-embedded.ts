import { join, resolve } from "node:path";
import { claimFolder, removeOwner, writeOwner } from "./claim-folder.ts";
import { findBinaries } from "./find-binaries.ts";
import { guardExit } from "./guard-exit.ts";
import { prepareCluster } from "./prepare-cluster.ts";
import { runServer } from "./run-server.ts";
import { stopServer } from "./stop-server.ts";

export interface EmbeddedOptions {
  /** Made when it is not there, for this user alone (0700). Password and log of the server lie in it as well. */
  dataDir: string;
  /** On loopback; a free one when absent. */
  port?: number;
  settings?: {
    /** Off: a power cut may lose or damage data. For tests only. Default on. */
    fsync?: boolean;
  };
}

export interface Embedded {
  /** With login and password. Never log it. */
  url: string;
  port: number;
  /** The server's process. */
  pid: number;
  /** Ends the server's clients, then the server. Everything committed is kept. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data folder and returns when it takes connections, on 127.0.0.1 only. A server that a crashed
 * process left running there is stopped first. Throws an EmbeddedError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  const fsync = options.settings?.fsync ?? true;
  const binaries = findBinaries();
  await claimFolder(dataDir, join(dataDir, "postgres"));
  const cluster = await prepareCluster(dataDir, binaries, fsync);
  // Before the server is up, or another start of this moment would take it for an orphan; after it, since that one wrote too.
  writeOwner(dataDir);
  const server = await runServer(binaries, cluster, { port: options.port, fsync });
  writeOwner(dataDir);
  const release = guardExit(server.pid);
  let stopped: Promise<void> | undefined;
  return {
    url: server.url,
    port: server.port,
    pid: server.pid,
    stop: () => {
      stopped ??= stopServer(server.pid).then(() => {
        release();
        removeOwner(dataDir);
      });
      return stopped;
    },
  };
}
