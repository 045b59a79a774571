import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionView } from "@codehands/api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clientOf, openTempHome } from "./open-daemon.test-kit.ts";
import type { Daemon } from "./open-daemon.ts";
import { makeRepo } from "./settings/settings-room.test-kit.ts";

let machine: ReturnType<typeof openTempHome>;
beforeEach(() => {
  machine = openTempHome();
});
afterEach(() => machine.remove());

/** Waits until a session has this status. */
async function until(daemon: Daemon, sessionId: string, status: string): Promise<SessionView> {
  const client = clientOf(daemon);
  const look = async () => (await client.sessions.get.query({ sessionId }))?.status;
  await expect.poll(look, { timeout: 20_000 }).toBe(status);
  return (await client.sessions.get.query({ sessionId })) as SessionView;
}

async function startRun(daemon: Daemon, repoPath: string) {
  const sessionId = randomUUID();
  const answer = await clientOf(daemon).sessions.start.mutate({
    commandId: randomUUID(),
    sessionId,
    repoPath,
    prompt: "make a file",
  });
  expect(answer).toMatchObject({ ok: true });
  return sessionId;
}

it("a prompt becomes one approved commit, through the client, the daemon and the runner", async () => {
  const repo = makeRepo(join(machine.root, "repo"), { "package.json": '{"scripts":{"test":"true"}}' });
  const daemon = await machine.start(
    {},
    machine.scriptedClaude([{ init: {} }, { write: { path: "made.txt", text: "made\n" } }, { result: {} }]),
  );
  const sessionId = await startRun(daemon, repo.path);
  const waiting = await until(daemon, sessionId, "awaiting_approval");
  expect(waiting).toMatchObject({
    agent: "claude-code",
    cost: { budgetUsd: 0.5, usd: 0.01 },
    diff: { files: 1, additions: 1 },
  });
  const client = clientOf(daemon);
  const diff = await client.sessions.diff.query({ sessionId });
  expect(diff?.files).toMatchObject([{ path: "made.txt", status: "A" }]);
  const wish = { commandId: randomUUID(), sessionId, treeId: waiting.treeId ?? "" };

  // The same call from a process of a run: an agent cannot approve itself, whatever it leaves out of its headers.
  const script = `fetch(process.argv[1], {method: "POST", headers: {"content-type": "application/json", authorization: "Bearer " + process.argv[2]}, body: process.argv[3]}).then((a) => a.text()).then(console.log)`;
  const words = [
    "-e",
    script,
    `http://127.0.0.1:${daemon.port}/trpc/sessions.approve`,
    daemon.token,
    JSON.stringify(wish),
  ];
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, { env: { CODEHANDS_RUN_ID: "run-1" } }, (_error, stdout) => resolve(stdout));
  });
  expect(said).toContain("agent_may_not");
  expect((await client.sessions.get.query({ sessionId }))?.status).toBe("awaiting_approval");

  const approved = await client.sessions.approve.mutate(wish);
  expect(approved).toMatchObject({ ok: true, session: { status: "approved" } });
  expect(repo.git("show", `${waiting.branch}:made.txt`)).toBe("made");
  expect(repo.git("rev-list", "--count", `main..${waiting.branch}`)).toBe("1");
  expect((await client.usage.report.query({ by: "repo" })).total).toMatchObject({
    sessions: 1,
    runs: 1,
    costUsd: 0.01,
  });
  expect(await client.repos.list.query()).toMatchObject([{ name: "repo", path: repo.path, sessions: 1 }]);
});

it("F38 C072 the daemon ends while its agent works; the next one goes on with the same run", async () => {
  const repo = makeRepo(join(machine.root, "repo"), {});
  const go = join(machine.root, "go");
  const environment = machine.scriptedClaude([
    { init: {} },
    { text: "before" },
    { waitFor: go },
    { write: { path: "late.txt", text: "late\n" } },
    { text: "after" },
    { result: {} },
  ]);
  const first = await machine.start({}, environment);
  const sessionId = await startRun(first, repo.path);
  await until(first, sessionId, "running");
  const textOf = async (daemon: Daemon) =>
    (await clientOf(daemon).sessions.events.query({ sessionId })).events
      .filter((event) => event.type === "message")
      .map((event) => event.payload.text);
  await expect.poll(() => textOf(first), { timeout: 10_000 }).toEqual(["before"]);
  await first.close();
  writeFileSync(go, "");
  const second = await machine.start(undefined, environment);
  const session = await until(second, sessionId, "awaiting_approval");
  expect(session.diff).toMatchObject({ files: 1 });
  expect(await textOf(second)).toEqual(["before", "after"]);
  const types = (await clientOf(second).sessions.events.query({ sessionId })).events.map((event) => event.type);
  expect(types.filter((type) => type === "task.started")).toHaveLength(1);
  expect(types).not.toContain("task.stopped");
});
