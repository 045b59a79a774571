import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planEnd } from "../supervisor/close-run.ts";
import { openHome, PERSON, removeHome, type SupervisedHome } from "../supervisor/supervised-home.test-kit.ts";

let home: SupervisedHome;

beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

async function restart(): Promise<void> {
  await home.close();
  home = await openHome({ dir: home.dir });
}
async function waiting(): Promise<string> {
  const { id } = await home.begin(["Work", "finish"]);
  await home.until(id, "awaiting_approval");
  return id;
}
const types = async (id: string) =>
  (await home.sessions.events({ sessionId: id, afterSeq: 0, limit: 100 })).events.map((event) => event.type);

describe("a restart of the daemon", () => {
  test("C071, C077: a run that lived on is read on from its offset: no event twice, none invented", async () => {
    const { id } = await home.begin(["Work", "say one", "wait go", "pair two", "finish"]);
    await home.untilSeq(id, 1);
    await restart();
    writeFileSync(join(home.dir, "go"), "");
    await home.until(id, "awaiting_approval");
    expect(await types(id)).toEqual(["task.started", "message", "message", "message", "file.changed", "task.finished"]);
  });

  test("C086: two restarts in a row change nothing about a run", async () => {
    const { id } = await home.begin(["Work", "wait go", "finish"]);
    await home.untilSeq(id, 1);
    await restart();
    await restart();
    expect((await home.sessions.get(id))?.status).toBe("running");
    writeFileSync(join(home.dir, "go"), "");
    await home.until(id, "awaiting_approval");
  });

  test("I4: a session that says running without a run is ended in words a person can act on", async () => {
    const { id } = await home.begin(["Work", "wait never"]);
    await home.untilSeq(id, 1);
    await home.close();
    home = await openHome({ dir: home.dir, idle: true });
    home.store.prepare("update runs set state = 'ended'").run();
    await home.close();
    home = await openHome({ dir: home.dir });
    expect(await home.sessions.get(id)).toMatchObject({ status: "stopped", reason: "daemon_restart" });
  });

  test("without an agent's session there is nothing to resume, so such a session has failed", () => {
    const running = { status: "running", agentSessionId: null } as const;
    expect(planEnd(running, { attached: true, fault: null })).toMatchObject({ payload: { reason: "exit_unknown" } });
    const named = { ...running, agentSessionId: "a" };
    expect(planEnd(named, { attached: true, fault: null })).toMatchObject({ type: "task.stopped" });
    expect(planEnd(named, { attached: true, fault: new Error("x") })).toMatchObject({ type: "task.failed" });
    expect(planEnd({ ...named, status: "stopped" }, { attached: true, fault: new Error("x") })).toBeNull();
  });

  test("a resume that waited for a free place keeps it over a restart", async () => {
    await home.close();
    home = await openHome({ dir: home.dir, concurrency: 1 });
    const { id } = await home.begin(["Work", "wait never"]);
    await home.untilSeq(id, 1);
    await home.sessions.stop(home.about(id), PERSON);
    const other = await home.begin(["Other", "wait go", "finish"]);
    await home.until(other.id, "running");
    await home.sessions.resume({ ...home.about(id), prompt: "on\nsay two\nfinish" }, PERSON);
    await home.close();
    home = await openHome({ dir: home.dir, concurrency: 1 });
    expect((await home.sessions.get(id))?.status).toBe("stopped");
    writeFileSync(join(home.dir, "go"), "");
    await home.until(id, "awaiting_approval");
    expect(await types(id)).toContain("message");
  });
});

describe("C056, F24: a worktree that vanished", () => {
  test("under a running agent: failed (worktree_missing) within five seconds, and the log stays", async () => {
    const { id } = await home.begin(["Work", "say one", "wait never"]);
    const { worktree } = await home.untilSeq(id, 2);
    rmSync(worktree ?? "", { recursive: true });
    expect(await home.until(id, "failed")).toMatchObject({ reason: "worktree_missing" });
    expect(await types(id)).toContain("message");
  });

  test("at a start, with its snapshot gone too: failed; with their folder away: nothing is written", async () => {
    const id = await waiting();
    const root = join(home.dir, "worktrees");
    renameSync(root, `${root}-away`);
    await restart();
    expect((await home.sessions.get(id))?.status).toBe("awaiting_approval");
    mkdirSync(join(root, "repo"), { recursive: true });
    await restart();
    expect(await home.sessions.get(id)).toMatchObject({ status: "failed", reason: "worktree_missing" });
  });

  test("with a pinned snapshot left, the session goes on waiting", async () => {
    const id = await waiting();
    const git = join(home.dir, "git", id);
    mkdirSync(join(git, "refs/codehands/snapshot"), { recursive: true });
    writeFileSync(join(git, `refs/codehands/snapshot/${id}`), "a".repeat(40));
    home.store.prepare("update sessions set private_git_dir = ? where id = ?").run(git, id);
    rmSync((await home.sessions.get(id))?.worktree ?? "", { recursive: true });
    await restart();
    expect((await home.sessions.get(id))?.status).toBe("awaiting_approval");
  });
});

test("C050: folders that belong to no session are told, listed by clean, and left alone", async () => {
  const orphan = join(home.dir, "worktrees", "repo", "deadbeef");
  mkdirSync(orphan, { recursive: true });
  await restart();
  expect(home.logged.join()).toContain("deadbeef");
  expect(await home.supervisor.orphans()).toEqual([orphan]);
  const answer = await home.sessions.clean({ commandId: randomUUID(), orphans: true }, PERSON);
  expect(answer).toMatchObject({ ok: true, result: { removed: [], kept: [{ path: orphan }] } });
  expect(existsSync(orphan)).toBe(true);
});

test("clean puts what ended long ago into the trash, tells first what would go, and keeps what is fresh", async () => {
  const { id } = await home.begin(["Work", "fail agent_error"]);
  const { worktree } = await home.until(id, "failed");
  const clean = (over = {}) => home.sessions.clean({ commandId: randomUUID(), ...over }, PERSON);
  expect(await clean()).toMatchObject({ result: { removed: [] } });
  home.store.prepare("update sessions set finished_at = '2020-01-01T00:00:00.000Z' where id = ?").run(id);
  expect(await clean({ dryRun: true })).toMatchObject({ result: { removed: [worktree], dryRun: true } });
  expect(existsSync(worktree ?? "")).toBe(true);
  expect(await clean()).toMatchObject({ result: { removed: [worktree] } });
  expect(existsSync(worktree ?? "")).toBe(false);
  expect((await home.sessions.get(id))?.status).toBe("failed");

  home.store.prepare("update trash set expires_at = '2020-01-01T00:00:00.000Z'").run();
  expect(await clean()).toMatchObject({ result: { trash: { removed: 1 } } });
  expect(existsSync(join(home.dir, "trash", id))).toBe(false);
});
