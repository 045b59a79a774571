import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callRaw, openTempHome } from "./open-daemon.test-kit.ts";
import { makeRepo } from "./settings/settings-room.test-kit.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
let machine: ReturnType<typeof openTempHome>;
const started: ChildProcess[] = [];
beforeEach(() => {
  machine = openTempHome();
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  await machine.remove();
});

/** Starts the program itself. */
function startMain(environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? "", HOME: machine.root, CODEHANDS_HOME: machine.home, ...environment };
  const words = ["--conditions=source", "--import", "tsx", MAIN];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    said,
  }));
  const ready = async () => {
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/listening on 127\.0\.0\.1:\d+/);
    return machine.daemonFile();
  };
  return { child, ended, ready };
}

const sessionStart = (repoPath: string) => ({
  commandId: randomUUID(),
  sessionId: randomUUID(),
  repoPath,
  prompt: "p",
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("F38 %s ends it in order and frees the home", async (signal) => {
  const first = startMain();
  const about = await first.ready();
  expect(about.pid).toBe(first.child.pid);
  first.child.kill(signal);
  expect(await first.ended).toMatchObject({ code: 0, signal: null });
  expect(machine.isAnnounced()).toBe(false);
  const next = startMain();
  expect((await next.ready()).bootId).not.toBe(about.bootId);
});

it("G08 C075 a second one ends by itself and says who holds the home, also when that one is stopped", async () => {
  const first = startMain();
  const { pid } = await first.ready();
  expect(await startMain().ended).toMatchObject({ code: 5, said: expect.stringContaining(`pid ${pid}`) });
  first.child.kill("SIGSTOP");
  const refused = await startMain().ended;
  first.child.kill("SIGCONT");
  expect(refused).toMatchObject({
    code: 5,
    said: expect.stringMatching(new RegExp(`pid ${pid}.*stopped and answers nobody.*kill -CONT ${pid}`)),
  });
  expect((await callRaw(machine.daemonFile(), "health.health")).status).toBe(200);
});

it("kill -9 leaves the home to the next one at once", async () => {
  const first = startMain();
  const before = await first.ready();
  first.child.kill("SIGKILL");
  await first.ended;
  expect(machine.isAnnounced()).toBe(true);
  const after = await startMain().ready();
  expect(after.homeId).toBe(before.homeId);
  expect(after.token).not.toBe(before.token);
});

it("says everything that is wrong with its settings, and starts nothing", async () => {
  await (await machine.start({})).close();
  writeFileSync(join(machine.home, "config.json"), '{"port": "x", "concurrency": 0}');
  const ended = await startMain({ CODEHANDS_AGENT_COMMAND_CODEX: "codex" }).ended;
  expect(ended.code).toBe(2);
  for (const part of ["port must", "concurrency must", "CODEHANDS_AGENT_COMMAND_CODEX must"])
    expect(ended.said).toContain(part);
  expect(machine.isAnnounced()).toBe(false);
});

it("F01 dies at an ordered crash point in tests only, and the next start puts the session in order", async () => {
  const repo = makeRepo(join(machine.root, "repo"), {});
  const claude = machine.scriptedClaude([{ init: {} }, { result: {} }]);
  const order = { ...claude, CODEHANDS_CRASH: "start.before-workspace:1", CODEHANDS_TEST: "1" };
  const first = startMain(order);
  const wish = sessionStart(repo.path);
  await callRaw(await first.ready(), "sessions.start", wish).catch(() => null);
  expect(await first.ended).toMatchObject({ signal: "SIGKILL" });
  // Without CODEHANDS_TEST the order means nothing.
  const next = startMain({ ...order, CODEHANDS_TEST: "" });
  const about = await next.ready();
  const status = async () => {
    const answer = await callRaw(about, "sessions.get", { sessionId: wish.sessionId });
    return (JSON.parse(answer.body) as { result: { data: { status: string } } }).result.data.status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe("awaiting_approval");
});

it("F38 SIGTERM while a change is being approved: the answer comes first, and there is one commit at most", async () => {
  const repo = makeRepo(join(machine.root, "repo"), {});
  const claude = machine.scriptedClaude([
    { init: {} },
    { write: { path: "made.txt", text: "made\n" } },
    { result: {} },
  ]);
  const first = startMain(claude);
  const about = await first.ready();
  const wish = sessionStart(repo.path);
  await callRaw(about, "sessions.start", wish);
  const { sessionId } = wish;
  const read = async (from: typeof about) => {
    const { body } = await callRaw(from, "sessions.get", { sessionId });
    return (JSON.parse(body) as { result: { data: { status: string; treeId: string; branch: string } } }).result.data;
  };
  await expect.poll(async () => (await read(about)).status, { timeout: 30_000 }).toBe("awaiting_approval");
  const { treeId, branch } = await read(about);
  const approving = callRaw(about, "sessions.approve", { commandId: randomUUID(), sessionId, treeId });
  const answered = approving.then(
    (answer) => answer.body,
    () => "cut",
  );
  first.child.kill("SIGTERM");
  expect(await first.ended).toMatchObject({ code: 0 });
  const second = startMain(claude);
  const now = await read(await second.ready());
  const commits = repo.git("rev-list", "--count", `main..${branch}`);
  const outcome = `${now.status} ${commits}`;
  // Carried out, or never begun; whoever got an answer got it after the commit.
  if ((await answered) === "cut") expect(["awaiting_approval 0", "approved 1"]).toContain(outcome);
  else expect(outcome).toBe("approved 1");
});
