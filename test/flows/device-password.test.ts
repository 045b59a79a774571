import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCloudClient, logIn } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EMAIL, openMachine, PASSWORD, parse, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import type { TempHome } from "../kit/temp-home.ts";
import { linesOfGuide, putProgram, runLines } from "./restore-lines.ts";
import { processesOf } from "./serve-cloud.ts";

const MAIN = new URL("../../apps/cli/dist/main.js", import.meta.url).pathname;
const SECOND = "the second long password";
const THIRD = "the third long password";
const guide = linesOfGuide("A forgotten password", "With the embedded database");

let host: TempHome;
let laptop: TempHome;
let cloud: ServedCloud;
let dataDir: string;
let code: string;
const machines: TempHome[] = [];
const open = (): TempHome => {
  const machine = openMachine();
  machines.push(machine);
  return machine;
};
beforeAll(async () => {
  host = openMachine();
  dataDir = join(host.root, "cloud");
  cloud = await serveCloud(host, { dataDir });
  laptop = open();
  code = await signUp(laptop, cloud.url);
});
afterAll(async () => {
  for (const machine of machines) await machine.remove();
  await cloud.stop();
  await host.remove();
});

/** The guide's line, typed on the machine of the cloud by its operator. */
function walkGuide(password: string): string {
  const place = join(host.root, "operator");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "new-password"), `${password}\n`);
  const programs = putProgram(
    join(host.root, "bin"),
    "codehands",
    `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`,
  );
  const env = { ...host.env, CODEHANDS_CLOUD_DATA_DIR: dataDir, PATH: `${programs}:${host.env["PATH"]}` };
  return runLines(guide, { cwd: place, env });
}

const credentials = (password: string, ...more: string[]) => ({ input: [password, ...more, ""].join("\n") });
const words = (command: string) => [command, "--server", cloud.url, "--email", EMAIL, "--password-stdin", "--json"];
const reset = (email: string, input: string) =>
  host.cli(["serve", "password", email, "--data-dir", dataDir, "--password-stdin", "--json"], { input });
const errorOf = ({ exitCode, stdout, stderr }: { exitCode: number; stdout: string; stderr: string }) => {
  expect(stdout).toBe("");
  return { exitCode, ...(JSON.parse(stderr) as { error: object }).error };
};

test("a forgotten password, while the cloud runs: a new machine gets in with the new one and the recovery code", async () => {
  const { login } = await logIn(cloud.url, { email: EMAIL, password: PASSWORD });
  const browser = createCloudClient({ url: cloud.url, login: login ?? "" });
  expect(await browser.accounts.status.query()).toMatchObject({ devices: 1 });
  const servers = processesOf(dataDir);

  expect(walkGuide(SECOND)).toBe(
    `✔ ${EMAIL} has a new password. The one login that was open is ended. Devices, keys and what is sealed were not touched.\n`,
  );
  // The database of the running cloud, and no second one.
  expect(processesOf(dataDir).filter((pid) => !servers.includes(pid))).toEqual([]);
  await expect(browser.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
  expect(parse(await laptop.cli(["sync", "now", "--json"]))).toMatchObject({ state: "resting", suspicions: [] });

  const next = open();
  const old = await next.cli(words("login"), credentials(PASSWORD));
  expect(errorOf(old)).toMatchObject({ exitCode: 4, code: "wrong_password" });
  expect(parse(await next.cli(words("login"), credentials(SECOND)))).toMatchObject({ account: { state: "locked" } });
  expect(parse(await next.cli(words("recover"), credentials(SECOND, code)))).toMatchObject({
    account: { state: "active", email: EMAIL },
  });
  const { devices } = parse(await next.cli(["devices", "ls", "--json"])) as { devices: object[] };
  expect(devices).toHaveLength(2);
});

test("the same while the cloud is stopped: its database is started, changed and stopped in order", async () => {
  const port = Number(new URL(cloud.url).port);
  await cloud.stop();
  expect(processesOf(dataDir)).toEqual([]);
  const unknown = await reset(`no-${EMAIL}`, `${THIRD}\n`);
  expect(errorOf(unknown)).toMatchObject({ exitCode: 3, code: "no_account" });
  expect(errorOf(await reset(EMAIL, "short\n"))).toMatchObject({ exitCode: 2, code: "usage" });
  const done = await reset(EMAIL, `${THIRD}\n`);
  expect(done.stderr).toBe("");
  expect(parse(done)).toEqual({
    email: EMAIL,
    accountId: expect.any(String),
    endedLogins: expect.any(Number),
    devices: 2,
  });
  expect(processesOf(dataDir)).toEqual([]);
  const log = readFileSync(join(dataDir, "operator.log"), "utf8");
  expect(log.match(/an operator set a new password/g)).toHaveLength(2);
  for (const secret of [EMAIL, SECOND, THIRD, "scrypt"]) expect(log).not.toContain(secret);

  cloud = await serveCloud(host, { dataDir, port });
  await expect(logIn(cloud.url, { email: EMAIL, password: SECOND })).rejects.toMatchObject({ code: "unauthorized" });
  await logIn(cloud.url, { email: EMAIL, password: THIRD });
  expect(parse(await laptop.cli(["sync", "now", "--json"]))).toMatchObject({ state: "resting", suspicions: [] });
});

test("a folder that holds no cloud stays as it is, and a setting that is wrong is named", async () => {
  const folder = join(host.root, "elsewhere");
  const place = ["serve", "password", EMAIL, "--data-dir", folder, "--password-stdin", "--json"];
  const missed = await host.cli(place, { input: `${THIRD}\n` });
  expect(errorOf(missed)).toMatchObject({ exitCode: 2, code: "no_cloud" });
  expect(() => readFileSync(folder)).toThrow("ENOENT");
  const wrong = await host.cli(place, { input: `${THIRD}\n`, env: { DATABASE_URL: "mysql://a/b" } });
  expect(errorOf(wrong)).toMatchObject({
    exitCode: 2,
    code: "usage",
    message: "DATABASE_URL must begin with postgres://. Nothing was changed.",
  });
});
