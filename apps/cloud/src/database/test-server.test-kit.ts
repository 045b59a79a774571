import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedded, startEmbedded } from "@codehands/pg-embedded";

export interface KillableServer {
  url: string;
  /** SIGKILL to the server, as a crash does. */
  kill(): void;
  /** The same data on the same port again. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** A PostgreSQL server of one test alone, which may be killed. */
export async function startKillableServer(): Promise<KillableServer> {
  const folder = mkdtempSync(join(tmpdir(), "codehands-pg-"));
  const dataDir = join(folder, "data");
  let server: Embedded = await startEmbedded({ dataDir, settings: { fsync: false } });
  return {
    url: server.url,
    kill: () => void process.kill(server.pid, "SIGKILL"),
    async restart() {
      await server.stop();
      server = await startEmbedded({ dataDir, port: server.port, settings: { fsync: false } });
    },
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
