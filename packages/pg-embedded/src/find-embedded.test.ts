import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findEmbedded } from "./find-embedded.ts";
import { processBirth } from "./identify-process.ts";
import { startEmbedded } from "./start-embedded.ts";

const folder = mkdtempSync(join(tmpdir(), "codehands-pg-"));
const dataDir = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a folder without a cluster is absent, and looking makes nothing", () => {
  expect(findEmbedded(join(folder, "nowhere"))).toEqual({ state: "absent" });
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
});

test("a server is found at the address that its owner has, and not any more once it was stopped", async () => {
  const server = await startEmbedded({ dataDir, settings: { fsync: false } });
  try {
    expect(findEmbedded(dataDir)).toEqual({ state: "running", url: server.url });
    const pidFile = join(dataDir, "postgres", "postmaster.pid");
    expect(existsSync(pidFile)).toBe(true);
  } finally {
    await server.stop();
  }
  expect(findEmbedded(dataDir)).toEqual({ state: "stopped" });
});

test("while the owner lives and its server takes no connections, it is unsettled: nobody starts a second one", async () => {
  const server = await startEmbedded({ dataDir, settings: { fsync: false } });
  process.kill(server.pid, "SIGKILL");
  await expect.poll(() => processBirth(server.pid)).toBeNull();
  expect(findEmbedded(dataDir)).toEqual({ state: "unsettled", pid: process.pid });
  await server.stop();
});

test("what a dead owner wrote counts for nothing", async () => {
  const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(gone, "exit");
  const left = join(folder, "left");
  mkdirSync(join(left, "postgres"), { recursive: true });
  writeFileSync(join(left, "postgres", "PG_VERSION"), "18\n");
  writeFileSync(join(left, "owner.json"), JSON.stringify({ pid: gone.pid, born: "1" }));
  expect(findEmbedded(left)).toEqual({ state: "stopped" });
});

test.skipIf(process.getuid?.() === 0)("a folder of another user is not taken for an empty one", () => {
  chmodSync(dataDir, 0);
  try {
    expect(() => findEmbedded(dataDir)).toThrow(/EACCES/);
  } finally {
    chmodSync(dataDir, 0o700);
  }
});
