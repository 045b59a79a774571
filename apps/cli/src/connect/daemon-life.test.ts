/** Starting, finding and stopping a daemon that is a real process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { homePaths } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Called, callCli } from "../call-cli.test-kit.ts";
import { isAlive } from "./is-alive.ts";
import { readDaemonFile } from "./read-daemon-file.ts";
import { daemonSpawner, type SpawnDaemon } from "./spawn-daemon.ts";

const PROGRAM = fileURLToPath(new URL("./daemon-program.test-kit.ts", import.meta.url));
const daemon = (...args: string[]): string[] => [
  process.execPath,
  "--conditions=source",
  "--import",
  import.meta.resolve("tsx"),
  PROGRAM,
  ...args,
];

let home = "";
let spawned: Promise<unknown>[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codehands-life-"));
  spawned = [];
});
afterEach(async () => {
  // Also one that lost the race and is not yet done with starting.
  let left = spawned.length;
  for (const ended of spawned) void ended.then(() => (left -= 1));
  await expect.poll(() => (endServing(), left), { timeout: 20_000 }).toBe(0);
  rmSync(home, { recursive: true, force: true });
});

function endServing(): void {
  const pid = pidNow();
  if (pid !== undefined && pid !== process.pid && isAlive(pid)) process.kill(pid, "SIGKILL");
}

/** Spawns like the command does, and remembers the process. */
const spawning =
  (program: string[]): SpawnDaemon =>
  (o) => {
    const started = daemonSpawner(program)(o);
    spawned.push(started.ended);
    return started;
  };
const call = (line: string, program: string[] = daemon(), variables = {}): Promise<Called> =>
  callCli(line.split(" "), { home, variables, spawnDaemon: spawning(program) });
const pidNow = (): number | undefined => readDaemonFile(homePaths(home).daemonFile)?.pid;

test("a command starts the daemon, the next one finds it, stop ends it, status tells both in one shape", async () => {
  const before = JSON.parse((await call("daemon status --json")).stdout);
  expect(before).toMatchObject({ running: false, pid: null, problem: null });
  const first = await call("show 3f0f -q", daemon(), {
    PATH: process.env.PATH ?? "",
    CODEHANDS_RUN_ID: "r1",
    CLAUDECODE: "",
  });
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  const pid = pidNow();
  expect(JSON.parse(readFileSync(`${home}/environment.json`, "utf8"))).not.toHaveProperty("CODEHANDS_RUN_ID");
  await call("show 3f0f -q", ["/nonexistent"]);
  expect(pidNow()).toBe(pid);
  const during = JSON.parse((await call("daemon status --json")).stdout);
  expect(during).toMatchObject({ running: true, pid, sessions: { running: 1, queued: 0, waiting: 1 } });
  expect(Object.keys(during).sort()).toEqual(Object.keys(before).sort());
  expect((await call("daemon stop")).exitCode).toBe(0);
  expect(isAlive(pid ?? 0)).toBe(false);
  expect(await call("daemon stop")).toMatchObject({ exitCode: 0, stderr: "The daemon was not running.\n" });
});

test("two commands that start it at once use the same daemon", async () => {
  const [one, two] = await Promise.all([call("daemon start --json"), call("daemon start --json")]);
  expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
  expect(JSON.parse(one.stdout).pid).toBe(JSON.parse(two.stdout).pid);
});

test("a command whose daemon came second waits for the first one, also when that is slow to be ready", async () => {
  const slow = daemon("--slow");
  const [one, two] = await Promise.all([call("daemon start --json", slow), call("daemon start --json", slow)]);
  expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
  expect(JSON.parse(one.stdout).pid).toBe(JSON.parse(two.stdout).pid);
});

test("restart makes a new process", async () => {
  await call("daemon start");
  const pid = pidNow();
  expect((await call("daemon restart -q")).exitCode).toBe(0);
  expect(pidNow()).not.toBe(pid);
  expect(isAlive(pid ?? 0)).toBe(false);
});

test("a daemon of another protocol is named as one, and restart replaces it", async () => {
  const other = await call("daemon start", daemon("99"));
  expect(other.exitCode).toBe(5);
  expect(other.stderr).toContain("speaks protocol 99");
  expect(other.stderr).toContain("hint: codehands daemon restart");
  const pid = pidNow();
  expect(JSON.parse((await call("daemon status --json")).stdout)).toMatchObject({ running: true, pid, protocol: 99 });
  expect((await call("daemon restart -q")).exitCode).toBe(0);
  expect(pidNow()).not.toBe(pid);
});

describe("when it cannot start", () => {
  const failing = [process.execPath, "-e", "console.error('state.db is of a newer version'); process.exit(4)"];

  test("its last words are told, and its log can be read", async () => {
    const { exitCode, stderr } = await call("ls", failing);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(
      "error: The daemon could not be started. It ended (exit code 4). Its last words: state.db is of a newer version",
    );
    expect(stderr).toContain("hint: codehands daemon logs");
    expect((await call("daemon logs", failing)).stdout).toBe("state.db is of a newer version\n");
  });

  test("a home folder that cannot be made is named", async () => {
    writeFileSync(`${home}/file`, "");
    const { exitCode, stderr } = await callCli(["ls"], {
      home: `${home}/file/in`,
      spawnDaemon: daemonSpawner(failing),
    });
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`The daemon could not be started with its folder ${home}/file/in: ENOTDIR`);
  });

  test("doctor still answers, with exit 7", async () => {
    const { exitCode, stdout } = await call("doctor --json", ["/nonexistent/program"]);
    expect(exitCode).toBe(7);
    const report = JSON.parse(stdout) as { ok: boolean; checks: { id: string; status: string }[] };
    expect(report.ok).toBe(false);
    expect(report.checks.map(({ id, status }) => [id, status])).toEqual([
      ["node", "ok"],
      ["daemon", "fail"],
    ]);
  });
});

test("another program on the daemon's port never sees the token", async () => {
  const seen: string[] = [];
  const impostor = createServer((request, response) => {
    seen.push(JSON.stringify([request.url, request.headers]));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ proof: "guessed", protocol: 1, version: "0.1.0" }));
  });
  await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
  const { port } = impostor.address() as AddressInfo;
  const token = "the-secret-token";
  const known = {
    pid: process.pid,
    port,
    token,
    bootId: "b",
    homeId: "h",
    version: "0.1.0",
    protocol: 1,
    startedAt: "t",
  };
  writeFileSync(homePaths(home).daemonFile, JSON.stringify(known));
  const { stdout } = await call("daemon status --json");
  const { exitCode } = await call("approve 3f0f", ["/nonexistent"]);
  impostor.close();
  expect(JSON.parse(stdout)).toMatchObject({
    running: false,
    problem: expect.stringContaining("Another program answers"),
  });
  expect(exitCode).toBe(7);
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.join()).not.toContain(token);
});

test.each(["", "{", "null", '{"pid":1}', '{"pid":1,"port":99999999,"token":"t"}'])(
  "a daemon.json that is not whole (%j) counts as none",
  async (text) => {
    writeFileSync(homePaths(home).daemonFile, text);
    expect(JSON.parse((await call("daemon status --json")).stdout)).toMatchObject({ running: false, problem: null });
  },
);
