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
  process.exit(3);
}
const end = (): void => {
  rmSync(daemonFile, { force: true });
  rmSync(lock, { force: true });
  process.exit(0);
};
process.on("SIGTERM", end);
writeFileSync(`${home}/environment.json`, JSON.stringify(process.env));
const protocol = process.argv[2];
const server = await startLocalServer({ home, pid: process.pid, ...(protocol && { protocol: Number(protocol) }) });
server.device.ports.health.shutdown = async () => {
  setImmediate(end);
};
