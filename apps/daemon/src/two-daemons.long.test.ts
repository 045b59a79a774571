import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeSampleRepo } from "@codehands/runner";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { clientOf, openTempHome } from "./open-daemon.test-kit.ts";
import type { Daemon } from "./open-daemon.ts";

const CLOUD = new URL("../../cloud/src/main.ts", import.meta.url).pathname;
const TSX = import.meta.resolve("tsx");

let dataDir = "";
let cloud: ChildProcess;
let cloudUrl = "";
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "codehands-two-daemons-"));
  cloud = spawn(process.execPath, ["--conditions=source", "--import", TSX, CLOUD], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      CODEHANDS_CLOUD_DATA_DIR: dataDir,
      CODEHANDS_CLOUD_PORT: "0",
      CODEHANDS_CLOUD_TRUSTED_PROXIES: "127.0.0.1",
      CODEHANDS_CLOUD_STOP_NOTICE: "0",
      CODEHANDS_CLOUD_LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  cloud.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => / \(port \d+, /.test(said) || cloud.exitCode !== null, 90_000);
  const port = / \(port (\d+), /.exec(said)?.[1];
  if (port === undefined) throw new Error(`the cloud did not start: ${said}`);
  cloudUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  const gone = once(cloud, "exit");
  if (cloud.exitCode === null && cloud.kill("SIGTERM")) await gone;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

let accounts = 0;
let laptop: ReturnType<typeof openTempHome>;
let desk: ReturnType<typeof openTempHome>;
beforeEach(() => {
  accounts += 1;
  const address = `198.19.0.${accounts}`;
  // The cloud counts new accounts by the address they come from.
  const fetchFrom: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", address);
    return fetch(url, { ...init, headers });
  };
  laptop = openTempHome({ fetch: fetchFrom });
  desk = openTempHome({ fetch: fetchFrom });
});
afterEach(async () => {
  await laptop.remove();
  await desk.remove();
});

/** Two signed-in daemons of one account: the laptop founded it and let the desk in by a QR. */
async function openBoth(environment: Record<string, string>): Promise<{ a: Daemon; b: Daemon }> {
  const a = await laptop.start({}, environment);
  const b = await desk.start({});
  const [one, two] = [clientOf(a), clientOf(b)];
  const email = `person${accounts}@example.org`;
  const made = await one.account.signUp.mutate({ cloudUrl, email, password: "a long enough password" });
  expect(made).toMatchObject({ ok: true, account: { state: "active" } });
  const begun = await two.pair.begin.mutate({ cloudUrl });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, qrText } = begun;
  expect(await one.pair.lookUp.mutate({ qrText })).toMatchObject({ ok: true });
  await until(async () => {
    await two.pair.state.mutate({ pairingId });
    return (await one.pair.offered.mutate({ pairingId })).state === "revealed";
  });
  expect(await one.pair.approve.mutate({ pairingId, roles: ["admin", "command", "run"] })).toMatchObject({ ok: true });
  await until(async () => (await two.pair.state.mutate({ pairingId })).state === "joined");
  return { a, b };
}

async function repository(): Promise<string> {
  const path = join(laptop.root, "repo");
  await makeSampleRepo(path);
  return path;
}

const WORK = [
  { init: {} },
  { count: { to: 20, everyMs: 10, textBytes: 100 } },
  { write: { path: "made.txt", text: "made by the agent\n" } },
  { result: {} },
];

async function runOn(daemon: Daemon, repoPath: string): Promise<string> {
  const sessionId = randomUUID();
  const start = { commandId: randomUUID(), sessionId, repoPath, prompt: "count", agent: "claude-code" } as const;
  expect(await clientOf(daemon).sessions.start.mutate(start)).toMatchObject({ ok: true });
  return sessionId;
}

const statusAt = async (daemon: Daemon, sessionId: string): Promise<string | undefined> =>
  (await clientOf(daemon).sessions.get.query({ sessionId }))?.status;

test("a session is followed, reviewed and approved from another device, which learns of the commit", async () => {
  const { a, b } = await openBoth(laptop.scriptedClaude(WORK));
  const sessionId = await runOn(a, await repository());
  await until(async () => (await statusAt(b, sessionId)) === "awaiting_approval");
  const there = clientOf(b);
  const mine = await clientOf(a).sessions.events.query({ sessionId, afterSeq: 0, limit: 1_000 });
  let held: typeof mine = { events: [], lastSeq: 0 };
  await until(async () => {
    held = await there.sessions.events.query({ sessionId, afterSeq: 0, limit: 1_000 });
    return held.events.length === mine.events.length;
  });
  expect(held.events.map(({ seq, type, payload }) => [seq, type, payload])).toEqual(
    mine.events.map(({ seq, type, payload }) => [seq, type, payload]),
  );
  expect((await there.sessions.list.query({})).sessions.map(({ id }) => id)).toEqual([sessionId]);
  expect(await there.sessions.resolve.query({ ref: sessionId.slice(0, 8) })).toEqual({ ok: true, sessionId });
  let diff: Awaited<ReturnType<typeof there.sessions.diff.query>> = null;
  await until(async () => {
    diff = await there.sessions.diff.query({ sessionId });
    return diff !== null;
  });
  const { treeId, patch } = diff as unknown as { treeId: string; patch: string };
  expect(patch).toContain("+made by the agent");
  const commandId = randomUUID();
  const answer = await there.sessions.approve.mutate({ commandId, sessionId, treeId, expects: ["awaiting_approval"] });
  expect(answer).toMatchObject({ ok: true });
  await until(async () => (await there.sessions.commandState.query({ commandId }))?.state === "done");
  const state = await there.sessions.commandState.query({ commandId });
  const approved = await clientOf(a).sessions.get.query({ sessionId });
  expect(approved).toMatchObject({ status: "approved" });
  expect(state?.result).toMatchObject({ commit: approved?.commit, treeId });
  await until(async () => (await statusAt(b, sessionId)) === "approved");
});

test("a change that moved on after it was reviewed elsewhere is not approved, and the new one comes for review", async () => {
  const { a, b } = await openBoth(laptop.scriptedClaude(WORK));
  const sessionId = await runOn(a, await repository());
  await until(async () => (await statusAt(b, sessionId)) === "awaiting_approval");
  const there = clientOf(b);
  const treeThere = async (): Promise<string> => (await there.sessions.diff.query({ sessionId }))?.treeId ?? "";
  await until(async () => (await treeThere()) !== "");
  const reviewed = await treeThere();
  const worktree = (await clientOf(a).sessions.get.query({ sessionId }))?.worktree ?? "";
  writeFileSync(join(worktree, "made.txt"), "edited by the person\n");
  const commandId = randomUUID();
  await there.sessions.approve.mutate({ commandId, sessionId, treeId: reviewed, expects: [] });
  await until(async () => (await there.sessions.commandState.query({ commandId }))?.state === "refused");
  expect(await there.sessions.commandState.query({ commandId })).toMatchObject({ code: "stale_tree" });
  await until(async () => (await treeThere()) !== reviewed);
  expect((await there.sessions.diff.query({ sessionId }))?.patch).toContain("+edited by the person");
  const again = randomUUID();
  await there.sessions.approve.mutate({ commandId: again, sessionId, treeId: await treeThere(), expects: [] });
  await until(async () => (await statusAt(a, sessionId)) === "approved");
});

test("a command that is sent while its device is off is carried out once it is back", async () => {
  const { a, b } = await openBoth(laptop.scriptedClaude(WORK));
  const sessionId = await runOn(a, await repository());
  await until(async () => (await statusAt(b, sessionId)) === "awaiting_approval");
  await until(async () => (await clientOf(a).sync.status.query()).pendingPush.records === 0);
  await a.close();
  const commandId = randomUUID();
  const there = clientOf(b);
  const sent = await there.sessions.reject.mutate({ commandId, sessionId, expects: [] });
  expect(sent).toMatchObject({ ok: true, pending: { state: "queued" } });
  const again = await laptop.start(undefined, laptop.scriptedClaude(WORK));
  await until(async () => (await statusAt(again, sessionId)) === "rejected");
  await until(async () => (await there.sessions.commandState.query({ commandId }))?.state === "done");
});

test("commands.from none: nothing of another device is obeyed, and its sender is told why", async () => {
  const { a, b } = await openBoth(laptop.scriptedClaude(WORK));
  const sessionId = await runOn(a, await repository());
  await until(async () => (await statusAt(b, sessionId)) === "awaiting_approval");
  writeFileSync(join(laptop.home, "config.json"), JSON.stringify({ commands: { from: "none" } }));
  const there = clientOf(b);
  const commandId = randomUUID();
  await there.sessions.reject.mutate({ commandId, sessionId, expects: [] });
  await until(async () => (await there.sessions.commandState.query({ commandId }))?.state === "refused");
  expect(await there.sessions.commandState.query({ commandId })).toMatchObject({ code: "not_allowed" });
  expect(await statusAt(a, sessionId)).toBe("awaiting_approval");
});

test("V12 a device is removed while a session runs: the run goes on, and the next key covers what was not sent yet", async () => {
  const { a, b } = await openBoth(
    laptop.scriptedClaude([{ init: {} }, { count: { to: 60, everyMs: 20 } }, { result: {} }]),
  );
  const sessionId = await runOn(a, await repository());
  const here = clientOf(a);
  await until(async () => ((await here.sessions.get.query({ sessionId }))?.lastSeq ?? 0) > 5);
  const desks = (await here.devices.list.query()).devices.filter((device) => !device.current);
  expect(await here.devices.revoke.mutate({ deviceId: desks[0]?.id ?? "" })).toMatchObject({ ok: true });
  await until(async () => (await statusAt(a, sessionId)) === "awaiting_approval");
  const { events, lastSeq } = await here.sessions.events.query({ sessionId, afterSeq: 0, limit: 1_000 });
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, at) => at + 1));
  await until(async () => {
    const { pendingPush } = await here.sync.status.query();
    return pendingPush.events + pendingPush.records === 0;
  });
  expect(await here.sync.status.query()).toMatchObject({ refused: [], suspicions: [], error: null });
  await until(async () => (await clientOf(b).account.status.query()).state === "stopped");
});

test("V5 keys that others could read are not used: the person is told, and nothing else stops", async () => {
  const { a } = await openBoth({});
  await a.close();
  chmodSync(join(laptop.home, "keys.json"), 0o644);
  const refused = await laptop.start();
  const account = await clientOf(refused).account.status.query();
  expect(account).toMatchObject({ state: "stopped", reason: expect.stringContaining("chmod 600") });
  const doctor = await clientOf(refused).health.doctor.mutate({});
  expect(doctor.checks.find(({ id }) => id === "account")).toMatchObject({
    status: "fail",
    detail: account.reason,
    fix: `chmod 600 ${join(laptop.home, "keys.json")}`,
  });
  expect((await clientOf(refused).sessions.list.query({})).sessions).toEqual([]);
  await refused.close();
  chmodSync(join(laptop.home, "keys.json"), 0o600);
  expect(await clientOf(await laptop.start()).account.status.query()).toMatchObject({ state: "active" });
});

test("a session is started on another device, in the checkout that lies there", async () => {
  const { a, b } = await openBoth(laptop.scriptedClaude(WORK));
  const repoPath = await repository();
  const first = await runOn(a, repoPath);
  await until(async () => (await statusAt(b, first)) === "awaiting_approval");
  const owner = (await clientOf(b).sessions.get.query({ sessionId: first }))?.device.id ?? "";
  const sessionId = randomUUID();
  const start = { commandId: randomUUID(), sessionId, prompt: "count again", agent: "claude-code" } as const;
  const there = clientOf(b);
  const answer = await there.sessions.start.mutate({ ...start, repoPath, deviceId: owner });
  expect(answer).toMatchObject({ ok: true });
  await until(async () => (await statusAt(a, sessionId)) === "awaiting_approval");
  expect(await clientOf(a).sessions.get.query({ sessionId })).toMatchObject({ repo: { path: repoPath } });
  expect(await clientOf(a).devices.rename.mutate({ name: "workbench" })).toMatchObject({ ok: true });
  expect(await clientOf(a).sessions.get.query({ sessionId })).toMatchObject({ device: { name: "workbench" } });
  await until(async () => (await there.sessions.get.query({ sessionId }))?.device.name === "workbench");
});

async function until(isSo: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("it did not happen in time");
    await pause(20);
  }
}
