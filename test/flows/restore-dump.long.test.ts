import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { isAlive, until } from "../kit/temp-home.ts";
import { linesOfGuide, putProgram, runLines, withBackup } from "./restore-lines.ts";
import { dockerStandIn, findPostgres, type OwnServer, startOwnServer } from "./restore-server.ts";
import { openRestoreStory } from "./restore-story.ts";

const CLOUD = new URL("../../apps/cloud/dist/main.js", import.meta.url).pathname;
const backup = () => linesOfGuide("Back up", "In containers");
const restore = () => linesOfGuide("Restore", "In containers");

const devices = clientDevices();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  await devices.close();
  for (const end of ends.splice(0).reverse()) await end();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A place where the guide's lines can be typed: a server of one's own, and `docker`. */
async function openPlace(bin: string) {
  const root = mkdtempSync(join(tmpdir(), "codehands-operator-"));
  ends.push(() => rmSync(root, { recursive: true, force: true }));
  const server: OwnServer = startOwnServer(bin, await freePort());
  ends.push(() => server.stop());
  const [state, guide] = [join(root, "state"), join(root, "guide")];
  for (const folder of [state, guide]) mkdirSync(folder);
  const programs = putProgram(join(root, "bin"), "docker", dockerStandIn({ server, cloud: CLOUD, state }));
  const port = await freePort();
  const env = {
    PATH: `${programs}:${process.env["PATH"]}`,
    HOME: root,
    DATABASE_URL: `postgres://codehands@127.0.0.1:${server.port}/codehands`,
    CODEHANDS_CLOUD_PORT: String(port),
    CODEHANDS_CLOUD_DATA_DIR: join(root, "data"),
    CODEHANDS_CLOUD_TRUSTED_PROXIES: "127.0.0.1",
  };
  ends.push(async () => {
    const pid = Number(readFileSync(join(state, "cloud.pid"), "utf8"));
    if (isAlive(pid)) process.kill(pid, "SIGTERM");
    await until(() => !isAlive(pid), 60);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    guide,
    run: (lines: readonly string[]) => runLines(lines, { cwd: guide, env }),
  };
}

/** The guide's dump and restore against a server of one's own. */
async function walkTheGuide(bin: string): Promise<void> {
  const place = await openPlace(bin);
  place.run(["docker compose --profile tls up -d --wait"]);
  const story = await openRestoreStory(place.url, devices);
  await story.beforeBackup();
  place.run(backup());
  await story.afterBackup();

  const lines = withBackup(restore(), { folder: place.guide, name: "codehands-….dump" });
  const look = lines.findIndex((line) => line.startsWith("docker logs"));
  place.run(lines.slice(0, look));
  await until(() => place.run(lines.slice(look, look + 1)).includes("every account has a new lineage"), 60);
  place.run(lines.slice(look + 1));
  // The first may meet a connection to the cloud of before.
  await until(async () => (await fetch(`${place.url}/readyz`).catch(() => null))?.status === 200);
  await story.afterRestore();
}

const bin = findPostgres();
if (bin === null)
  test("this machine has no PostgreSQL with pg_dump: the guide's lines are read and not walked", () => {
    expect(backup().join("\n")).toMatch(/pg_dump .*> codehands-\S+\.dump$/);
    expect(restore().join("\n")).toMatch(/dropdb [\s\S]*createdb [\s\S]*pg_restore [\s\S]*--restored/);
  });
else
  test(`S9 S25 the guide's dump and restore with the programs of ${bin}: nothing that devices hold is lost`, async () => {
    await walkTheGuide(bin);
  });

test("a line that the guide gains is refused until it is walked", async () => {
  const root = mkdtempSync(join(tmpdir(), "codehands-operator-"));
  ends.push(() => rmSync(root, { recursive: true, force: true }));
  const server = { bin: "none", port: 0, stop: () => {} };
  const programs = putProgram(root, "docker", dockerStandIn({ server, cloud: CLOUD, state: root }));
  const env = { PATH: `${programs}:${process.env["PATH"]}` };
  expect(() => runLines(["docker compose down"], { cwd: root, env })).toThrow("The stand-in does not know");
});
