import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { EmbeddedError } from "./embedded-error.ts";
import { findBinaries } from "./find-binaries.ts";
import { processBirth } from "./identify-process.ts";
import { type Embedded, startEmbedded } from "./start-embedded.ts";

const folder = mkdtempSync(join(tmpdir(), "codehands-pg-"));
const servers: Embedded[] = [];
// Each test leaves it stopped and whole, so that the next one need not make another.
const dataDir = join(folder, "data");

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(on: string): Promise<Embedded> {
  const server = await startEmbedded({ dataDir: on, settings: { fsync: false } });
  servers.push(server);
  return server;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "started",
    (error: unknown) => (error instanceof EmbeddedError ? error.code : `not ours: ${String(error)}`),
  );

test("starts, stops and starts again on one folder, on loopback only and with one password in a file for its user alone", async () => {
  const first = await start(dataDir);
  const secret = new URL(first.url).password;
  expect(secret).toMatch(/^[0-9a-f]{48}$/);
  expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await listens(first.port)).toBe(true);
  expect(readFileSync(join(dataDir, "postgres", "pg_hba.conf"), "utf8")).not.toMatch(/^[^#]*\btrust\b/m);
  await first.stop();
  await first.stop();
  expect(processBirth(first.pid)).toBeNull();
  expect(await listens(first.port)).toBe(false);

  const second = await start(dataDir);
  expect(new URL(second.url).password).toBe(secret);
});

test("a second start on a folder in use is refused and changes nothing", async () => {
  const first = await start(dataDir);
  expect(await codeOf(startEmbedded({ dataDir }))).toBe("in_use");
  expect(await listens(first.port)).toBe(true);
});

test("of two starts at the same moment one wins, and the other says so", async () => {
  const fresh = join(folder, "fresh");
  const outcomes = await Promise.all([codeOf(start(fresh)), codeOf(start(fresh))]);
  expect(outcomes.sort()).toEqual(["in_use", "started"]);
});

test("a folder of another major version is refused in plain words and left as it is", async () => {
  await (await start(dataDir)).stop();
  const file = join(dataDir, "postgres", "PG_VERSION");
  chmodSync(file, 0o600);
  writeFileSync(file, "15\n");
  const refused = startEmbedded({ dataDir });
  await expect(refused).rejects.toThrow(
    /made by PostgreSQL 15; this program brings PostgreSQL 18.*Nothing was changed/,
  );
  expect(await codeOf(refused)).toBe("other_major");
  expect(readFileSync(file, "utf8")).toBe("15\n");
  writeFileSync(file, "18\n");
});

test("a pid file whose number now belongs to another program does not stop a start", async () => {
  await (await start(dataDir)).stop();
  const cluster = join(dataDir, "postgres");
  writeFileSync(join(cluster, "postmaster.pid"), `${process.ppid}\n${cluster}\n1\n5432\n\n127.0.0.1\n 1 2\nready   \n`);
  expect(await listens((await start(dataDir)).port)).toBe(true);
});

test("a pid file that is still empty is another start's: it is waited for, and that one is left alone", async () => {
  const first = await start(dataDir);
  const file = join(dataDir, "postgres", "postmaster.pid");
  const written = readFileSync(file, "utf8");
  writeFileSync(file, "");
  const second = codeOf(startEmbedded({ dataDir }));
  setTimeout(() => writeFileSync(file, written), 500);
  expect(await second).toBe("in_use");
  expect(await listens(first.port)).toBe(true);
});

test("a pid file that stays empty was left by a start that died: it does not stop the next one", async () => {
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), "");
  expect(await listens((await start(dataDir)).port)).toBe(true);
});

test("a killed server starts again", async () => {
  const first = await start(dataDir);
  process.kill(first.pid, "SIGKILL");
  await first.stop();
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(true);
  expect(await listens((await start(dataDir)).port)).toBe(true);
});

test("a platform without binaries is told what to do", () => {
  expect(() => findBinaries("sunos", "sparc")).toThrow(/Set DATABASE_URL/);
});
