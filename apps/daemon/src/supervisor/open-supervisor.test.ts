import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCommand } from "../commands/command-rows.ts";
import { landedCommits } from "./scripted-branch.test-kit.ts";
import { openHome, PERSON, removeHome, type SupervisedHome } from "./supervised-home.test-kit.ts";

let home: SupervisedHome;

beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

describe("a session from start to its decision", () => {
  test("start answers with the stored session before its agent exists, and the run ends waiting for approval", async () => {
    const { id, answer } = await home.begin(["Add a greeting", "say hello", "pair hello.txt", "test pass", "finish"]);
    expect(answer).toMatchObject({ ok: true, session: { id, status: "queued", title: "Add a greeting" } });

    const session = await home.until(id, "awaiting_approval");
    expect(session).toMatchObject({
      cost: { usd: 0.03, budgetUsd: 0.5 },
      usage: { inputTokens: 10, cachedInputTokens: 5, outputTokens: 7 },
      numTurns: 2,
      diff: { files: 1, additions: 3, deletions: 1 },
      tests: { command: "npm test", passed: true, seq: 5 },
      lastSeq: 6,
    });
    const page = await home.sessions.events({ sessionId: id, afterSeq: 0, limit: 100, raw: true });
    expect(page.events.map((event) => [event.seq, event.type])).toEqual([
      [1, "task.started"],
      [2, "message"],
      [3, "message"],
      [4, "file.changed"],
      [5, "test.result"],
      [6, "task.finished"],
    ]);
    expect(page.events[1]).toMatchObject({ payload: { text: "hello" }, raw: "say hello" });
  });

  test("approve lands one commit, answers with it, and gives the same answer to the same command and the same tree", async () => {
    const { id } = await home.begin(["Add a greeting", "say hello", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    const command = { ...home.about(id), treeId: treeId ?? "" };

    const answer = await home.sessions.approve(command, PERSON);
    expect(answer).toMatchObject({ ok: true, session: { status: "approved", treeId }, result: { treeId } });
    expect(await home.sessions.approve(command, PERSON)).toEqual(answer);
    const again = await home.sessions.approve({ ...home.about(id), treeId: treeId ?? "" }, PERSON);
    expect(again.ok && again.result).toEqual(answer.ok && answer.result);
    expect(landedCommits(home.dir, id)).toHaveLength(1);
    expect(existsSync(join(home.dir, "trash", id))).toBe(true);
  });

  test("approve refuses another tree than the reviewed one and leaves the session waiting", async () => {
    const { id } = await home.begin(["Add a greeting", "finish"]);
    await home.until(id, "awaiting_approval");
    const answer = await home.sessions.approve({ ...home.about(id), treeId: "0".repeat(40) }, PERSON);
    expect(answer).toMatchObject({ ok: false, code: "stale_tree", session: { status: "awaiting_approval" } });
    expect(landedCommits(home.dir, id)).toEqual([]);
  });

  test("reject puts the worktree into the trash and is final (C078: a rejected session takes no resume)", async () => {
    const { id } = await home.begin(["Add a greeting", "finish"]);
    await home.until(id, "awaiting_approval");
    expect(await home.sessions.reject(home.about(id), PERSON)).toMatchObject({
      ok: true,
      session: { status: "rejected" },
    });
    expect(await home.sessions.resume(home.about(id), PERSON)).toMatchObject({ ok: false, code: "illegal_move" });
    expect(home.store.prepare("select folder from trash where session_id = ?").pluck().get(id)).toContain("/trash/");
  });

  test("a fault of the runner at approve is stored as in doubt, told as a fault, and changes no status", async () => {
    const { id } = await home.begin(["Add a greeting", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    const command = { ...home.about(id), treeId: treeId ?? "", message: "break" };
    await expect(home.sessions.approve(command, PERSON)).rejects.toMatchObject({ code: "command_failed" });
    expect(readCommand(home.store, command.commandId)).toMatchObject({ state: "in_doubt", code: null });
    expect((await home.sessions.get(id))?.status).toBe("awaiting_approval");
  });
});

describe("stop, resume, discard", () => {
  test("stop is answered when task.stopped is stored; resume goes on with the next number", async () => {
    const { id } = await home.begin(["Work", "say one", "wait never", "finish"]);
    await home.untilSeq(id, 1);
    expect(await home.sessions.stop(home.about(id), PERSON)).toMatchObject({
      ok: true,
      session: { status: "stopped", reason: "person" },
    });
    const stopped = await home.sessions.get(id);
    expect(await home.sessions.resume({ ...home.about(id), prompt: "go on\nsay two\nfinish" }, PERSON)).toMatchObject({
      ok: true,
      session: { status: "running" },
    });
    const finished = await home.until(id, "awaiting_approval");
    expect(finished.lastSeq).toBeGreaterThan(stopped?.lastSeq ?? 0);
    const { events } = await home.sessions.events({ sessionId: id, afterSeq: 0, limit: 100 });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("stop of a queued session makes it failed (cancelled) and no run of it ever starts", async () => {
    await home.close();
    home = await openHome({ dir: home.dir, concurrency: 1 });
    const first = await home.begin(["First", "wait go", "finish"]);
    await home.until(first.id, "running");
    const second = await home.begin(["Second", "finish"]);
    expect(await home.sessions.stop(home.about(second.id), PERSON)).toMatchObject({
      ok: true,
      session: { status: "failed", reason: "cancelled" },
    });
    writeFileSync(join(home.dir, "go"), "");
    await home.until(first.id, "awaiting_approval");
    expect((await home.sessions.events({ sessionId: second.id, afterSeq: 0, limit: 9 })).events).toHaveLength(1);
  });

  test("discard of a stopped session ends it as failed (discarded) through the trash", async () => {
    const { id } = await home.begin(["Work", "wait never", "finish"]);
    await home.untilSeq(id, 1);
    await home.sessions.stop(home.about(id), PERSON);
    expect(await home.sessions.discard(home.about(id), PERSON)).toMatchObject({
      ok: true,
      session: { status: "failed", reason: "discarded" },
    });
    expect(existsSync(join(home.dir, "trash", id))).toBe(true);
  });

  test("a resume that the runner refuses is answered with its reason and leaves the session stopped", async () => {
    const { id } = await home.begin(["Work", "wait never", "finish"]);
    await home.untilSeq(id, 1);
    await home.sessions.stop(home.about(id), PERSON);
    home.store.prepare("update sessions set agent_session_id = null where id = ?").run(id);
    expect(await home.sessions.resume(home.about(id), PERSON)).toMatchObject({
      ok: false,
      code: "cannot_resume",
      session: { status: "stopped" },
    });
  });

  test("a limit of the provider stops the session and is stored as its reason", async () => {
    const { id } = await home.begin(["Work", "say one", "limit usage_limit"]);
    expect(await home.until(id, "stopped")).toMatchObject({ reason: "usage_limit", cost: { usd: 0.02 } });
  });
});

describe("a fault of the runner", () => {
  test("a run that ends without a word becomes task.failed", async () => {
    const { id } = await home.begin(["Work", "say one", "vanish"]);
    expect(await home.until(id, "failed")).toMatchObject({ reason: "exit_unknown" });
  });

  test("a start that throws becomes task.failed with its reason, never an unhandled rejection", async () => {
    const { id } = await home.begin(["Work", "throw not_a_repo"]);
    expect(await home.until(id, "failed")).toMatchObject({ reason: "not_a_repo", prompt: "Work\nthrow not_a_repo" });
  });
});

describe("commands", () => {
  test("the same start twice is one session; other words under its id are already_running", async () => {
    const start = { commandId: randomUUID(), sessionId: randomUUID(), repoPath: home.dir, prompt: "Work\nfinish" };
    const [one, two] = await Promise.all([home.sessions.start(start, PERSON), home.sessions.start(start, PERSON)]);
    expect(one.ok && two.ok).toBe(true);
    expect(await home.sessions.start({ ...start, prompt: "Other\nfinish" }, PERSON)).toMatchObject({
      code: "already_running",
    });
    const other = { ...start, commandId: randomUUID(), prompt: "Other\nfinish" };
    expect(await home.sessions.start(other, PERSON)).toMatchObject({ ok: false, code: "already_running" });
    expect((await home.sessions.list({ limit: 10 })).sessions).toHaveLength(1);
  });

  test("an agent's own run may not decide: approve, reject, discard, clean and a higher budget are refused", async () => {
    const { id } = await home.begin(["Work", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    const agent = { runId: "run" };
    const refused = { ok: false, code: "agent_may_not" };
    expect(await home.sessions.approve({ ...home.about(id), treeId: treeId ?? "" }, agent)).toMatchObject(refused);
    expect(await home.sessions.reject(home.about(id), agent)).toMatchObject(refused);
    expect(await home.sessions.discard(home.about(id), agent)).toMatchObject(refused);
    expect(await home.sessions.clean({ commandId: randomUUID() }, agent)).toMatchObject(refused);
    expect(await home.sessions.resume({ ...home.about(id), budgetUsd: 50 }, agent)).toMatchObject(refused);
    expect((await home.sessions.get(id))?.status).toBe("awaiting_approval");
  });

  test("a command about no session is answered with not_found", async () => {
    expect(await home.sessions.stop(home.about(randomUUID()), PERSON)).toMatchObject({ ok: false, code: "not_found" });
  });
});

test("the queue runs in its order, as many at once as are allowed, also over a restart", async () => {
  await home.close();
  home = await openHome({ dir: home.dir, concurrency: 1 });
  const first = await home.begin(["First", "wait go", "finish"]);
  const second = await home.begin(["Second", "finish"]);
  const third = await home.begin(["Third", "finish"]);
  await home.until(first.id, "running");
  expect(home.supervisor.counts()).toEqual({ running: 1, queued: 2, waiting: 0 });
  await home.close();

  home = await openHome({ dir: home.dir, concurrency: 1 });
  await home.until(first.id, "running");
  expect(home.supervisor.counts()).toEqual({ running: 1, queued: 2, waiting: 0 });
  writeFileSync(join(home.dir, "go"), "");
  const ends = await Promise.all([first, second, third].map(({ id }) => home.until(id, "awaiting_approval")));
  const started = ends.map((session) => session.startedAt ?? "");
  expect(started).toEqual([...started].sort());
  const { events } = await home.sessions.events({ sessionId: first.id, afterSeq: 0, limit: 100 });
  expect(events.filter((event) => event.type === "task.started")).toHaveLength(1);
});
