import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { processBirth } from "./identify-process.ts";
import { startEmbedded } from "./start-embedded.ts";
import { sendSignal } from "./stop-server.ts";
import { waitUntil } from "./wait-until.ts";

const folder = mkdtempSync(join(tmpdir(), "codehands-pg-"));
const dataDir = join(folder, "data");
const pids: number[] = [];

afterEach(() => {
  for (const pid of pids.splice(0)) sendSignal(pid, "SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process of its own that starts the server, says the server's pid, and does `then`. */
async function startParent(then: string): Promise<{ parent: ChildProcess; pid: number }> {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(new URL("start-embedded.ts", import.meta.url).href)});
    const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: false } });
    console.log(server.pid);
    ${then}`;
  const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(parent.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const pid = Number(said.toString());
  pids.push(pid);
  return { parent, pid };
}

const isGone = (pid: number) => waitUntil(20_000, () => (processBirth(pid) === null ? true : null));
const STAY = "setInterval(() => {}, 1000);";

test("the server of a parent killed with kill -9 lives on, and the next start ends it and takes the folder", async () => {
  const { parent, pid } = await startParent(STAY);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  expect(processBirth(pid)).not.toBeNull();
  const next = await startEmbedded({ dataDir, settings: { fsync: false } });
  expect(processBirth(pid)).toBeNull();
  expect(next.pid).not.toBe(pid);
  await next.stop();
});

test("a parent that simply ends takes the server along", async () => {
  const { pid } = await startParent("");
  expect(await isGone(pid)).toBe(true);
});

test("a parent that is told to end takes the server along and dies of that signal", async () => {
  const { parent, pid } = await startParent(STAY);
  parent.kill("SIGTERM");
  const [, signal] = (await once(parent, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGTERM");
  expect(await isGone(pid)).toBe(true);
});

test("a parent with a handler of its own decides when the server ends", async () => {
  const { parent, pid } = await startParent(`${STAY}
    process.on("SIGTERM", async () => { console.log("draining"); process.stdin.destroy(); setTimeout(() => process.exit(0), 300); });`);
  const said = once(parent.stdout as NodeJS.ReadableStream, "data");
  parent.kill("SIGTERM");
  await said;
  expect(processBirth(pid)).not.toBeNull();
  await once(parent, "exit");
  expect(await isGone(pid)).toBe(true);
});
