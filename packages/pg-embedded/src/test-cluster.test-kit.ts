import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "./find-binaries.ts";
import { processBirth } from "./identify-process.ts";
import { prepareCluster } from "./prepare-cluster.ts";
import { runServer } from "./run-server.ts";
import { waitUntil } from "./wait-until.ts";

/** Ends the server and removes its folder when the test run is over, however it ended. */
const KEEPER = `
while kill -0 "$1" 2>/dev/null; do sleep 0.3; done
kill -QUIT "$2" 2>/dev/null
while kill -0 "$2" 2>/dev/null; do sleep 0.1; done
rm -rf "$3"
`;

export interface TestCluster {
  /** Of the database that is always there. Make one of your own on it. */
  url: string;
}

/**
 * The one PostgreSQL server of this test run, without fsync: started by the first file that asks, shared by all, gone
 * when the run is over. Tests that kill a server start one of their own.
 */
export async function openTestCluster(): Promise<TestCluster> {
  // A file runs in a process of its own, whose parent is the run.
  const run = process.env.VITEST === undefined ? process.pid : process.ppid;
  const folder = join(
    tmpdir(),
    `codehands-pg-${process.getuid?.() ?? 0}-${run}-${processBirth(run)?.replace(/\W/g, "")}`,
  );
  const ready = `${folder}.json`;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    const found = await waitUntil(60_000, () => readReady(ready));
    if (found === null) throw new Error(`The server of this test run does not come up in ${folder}.`);
    return found;
  }
  const binaries = findBinaries();
  const cluster = await prepareCluster(join(folder, "data"), binaries, false);
  const server = await runServer(binaries, cluster, { fsync: false });
  const keeper = ["-c", `${KEEPER}rm -f "$3.json"`, "keeper", String(run), String(server.pid), folder];
  spawn("sh", keeper, { cwd: "/", detached: true, stdio: "ignore" }).unref();
  writeFileSync(`${ready}.draft`, JSON.stringify({ url: server.url }));
  renameSync(`${ready}.draft`, ready);
  return { url: server.url };
}

function readReady(file: string): TestCluster | null {
  try {
    const { url } = JSON.parse(readFileSync(file, "utf8")) as { url?: unknown };
    return typeof url === "string" ? { url } : null;
  } catch {
    return null;
  }
}

/** A folder for a server of one test. */
export const makeDataFolder = (): string => mkdtempSync(join(tmpdir(), "codehands-pg-test-"));
