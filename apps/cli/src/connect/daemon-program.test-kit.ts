/** A tiny daemon in a process of its own: `daemon.json`, hello, the real router over memory, a lock, an orderly end. */
import { rmSync, writeFileSync } from "node:fs";
import { homePaths } from "@codehands/contracts";
import { startLocalServer } from "../local-server.test-kit.ts";

const home = process.env.CODEHANDS_HOME ?? "";
const { lock, daemonFile } = homePaths(home);
try {
  writeFileSync(lock, String(process.pid), { flag: "wx" });
} catch {
  process.stderr.write("another daemon runs\n");
  process.exit(5);
}
const end = (): void => {
  rmSync(daemonFile, { force: true });
  rmSync(lock, { force: true });
  process.exit(0);
};
process.on("SIGTERM", end);
writeFileSync(`${home}/environment.json`, JSON.stringify(process.env));
const [word] = process.argv.slice(2);
// As one that has a large database to open.
if (word === "--slow") await new Promise((ready) => setTimeout(ready, 4_000));
const protocol = word === "--slow" ? undefined : word;
const server = await startLocalServer({ home, pid: process.pid, ...(protocol && { protocol: Number(protocol) }) });
server.device.ports.health.shutdown = async () => {
  setImmediate(end);
};
