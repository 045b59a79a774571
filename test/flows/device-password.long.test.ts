import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logIn } from "@codehands/api/cloud-client";
import { foundAccount, PASSWORD } from "@codehands/cloud/test-cloud";
import { openTestCluster } from "@codehands/pg-embedded/test-cluster";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTempHome, type TempHome, until } from "../kit/temp-home.ts";
import { linesOfGuide, putProgram, runLines } from "./restore-lines.ts";
import { processesOf, type ServedCloud, serveCloud } from "./serve-cloud.ts";

const CLOUD = new URL("../../apps/cloud/", import.meta.url).pathname;
const MAIN = new URL("../../apps/cli/dist/main.js", import.meta.url).pathname;
const NEXT = "another long password";
let machine: TempHome;
let dataDir: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  machine = openTempHome();
  dataDir = join(machine.root, "cloud");
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await machine.remove();
});

async function serve(...words: string[]): Promise<ServedCloud> {
  const cloud = await serveCloud(machine, { words: ["--port", "0", "--data-dir", dataDir, ...words] });
  ends.push(() => cloud.end());
  return cloud;
}

/** A database of the operator's own. */
async function ownDatabase(): Promise<string> {
  const url = new URL((await openTestCluster()).url);
  const name = `password_${randomBytes(8).toString("hex")}`;
  const cluster = postgres(url.href, { max: 1, onnotice: () => {} });
  await cluster.unsafe(`create database ${name}`);
  ends.push(async () => {
    await cluster.unsafe(`drop database if exists ${name} with (force)`);
    await cluster.end();
  });
  url.pathname = `/${name}`;
  return url.href;
}

/** A shell line on a terminal of its own. */
function openTerminal(line: string) {
  const child = spawn("script", ["-qefc", line, "/dev/null"], { env: machine.env, stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return { said: () => said, type: (keys: string) => child.stdin.write(keys), ended };
}

const reset = (email: string) =>
  machine.cli(["serve", "password", email, "--data-dir", dataDir, "--password-stdin", "--json"], {
    input: `${NEXT}\n`,
  });

test("the guide's line for containers, against a cloud with a database of the operator's own", async () => {
  const databaseUrl = await ownDatabase();
  const cloud = await serve("--database-url", databaseUrl);
  const { person, device } = await foundAccount(cloud.url);
  const lines = linesOfGuide("A forgotten password", "In containers").map((line) =>
    line.replace("ada@example.org", person.email),
  );
  // What `docker compose exec` does, without containers: the program of the image with the cloud's environment.
  const docker = `#!/bin/sh
case "$1 $2 $3 $4 $5 $6" in
  "compose exec -T cloud node dist/set-password.js") cd "${CLOUD}"; shift 5; exec "${process.execPath}" "$@" ;;
  *) echo "The stand-in does not know: docker $*" >&2; exit 64 ;;
esac
`;
  const programs = putProgram(join(machine.root, "bin"), "docker", docker);
  const place = join(machine.root, "operator");
  mkdirSync(place);
  writeFileSync(join(place, "new-password"), `${NEXT}\n`);
  const env = { PATH: `${programs}:${machine.env["PATH"]}`, HOME: machine.root, DATABASE_URL: databaseUrl };
  runLines(lines, { cwd: place, env: { ...env, CODEHANDS_CLOUD_DATA_DIR: dataDir } });
  await expect(logIn(cloud.url, { email: person.email, password: PASSWORD })).rejects.toMatchObject({
    code: "unauthorized",
  });
  await logIn(cloud.url, { email: person.email, password: NEXT });
  expect(await device.client.roster.get.query({})).toMatchObject({ seq: 0 });
});

test.skipIf(spawnSync("script", ["--version"]).status !== 0)(
  "typed twice on a terminal, nothing of it shows",
  async () => {
    const cloud = await serve();
    const { person } = await foundAccount(cloud.url);
    const line = `'${process.execPath}' '${MAIN}' serve password ${person.email} --data-dir '${dataDir}'`;
    const terminal = openTerminal(line);
    await until(() => terminal.said().includes("New password:"));
    terminal.type(`${NEXT}\r`);
    await until(() => terminal.said().includes("Once more:"));
    terminal.type(`${NEXT}\r`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.said()).toContain(`${person.email} has a new password.`);
    expect(terminal.said()).not.toContain(NEXT);
    await logIn(cloud.url, { email: person.email, password: NEXT });
  },
);

test("beside a cloud that was killed, and twice at once: one waits for the other, and no server stays behind", async () => {
  const cloud = await serve();
  const { person } = await foundAccount(cloud.url);
  const database = join(dataDir, "database");
  const [server] = processesOf(database);
  await cloud.kill();
  ends.length = 0;
  expect(processesOf(database)).toContain(server);
  const [first, second] = await Promise.all([reset(person.email), reset(person.email)]);
  expect([first.exitCode, second.exitCode, first.stderr, second.stderr]).toEqual([0, 0, "", ""]);
  expect(processesOf(database)).toEqual([]);
  const again = await serve();
  await logIn(again.url, { email: person.email, password: NEXT });
});
