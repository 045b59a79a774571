import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Bench, collect, openBench } from "./runner.test-kit.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

const WORK = [
  { init: {} },
  { text: "I make a file." },
  { write: { path: "new.txt", text: "new\n" } },
  { result: { total_cost_usd: 0.25, num_turns: 3 } },
];

describe("start", () => {
  test("works in a worktree on a new branch; the checkout stays as it is", async () => {
    const head = bench.git("rev-parse", "HEAD");
    const runner = bench.runner(WORK);
    const { sessionId, events } = bench.start(runner);
    const all = await collect(events);

    expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.map((event) => event.type)).toEqual(["task.started", "message", "task.finished"]);
    const worktree = join(bench.home, "worktrees");
    expect(String(all[0]?.payload["cwd"])).toContain(worktree);
    expect(all.at(-1)?.payload).toMatchObject({ total_cost_usd: 0.25, num_turns: 3 });
    expect(String(all.at(-1)?.payload["diffStat"])).toContain("new.txt");
    expect(bench.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
    expect(bench.git("rev-parse", "HEAD")).toBe(head);
    expect(bench.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(bench.repo, "new.txt"))).toBe(false);
    expect(bench.git("branch", "--list", "codehands/*")).toContain(`codehands/fix-the-date-${sessionId.slice(0, 8)}`);
  });

  test("a repository without a commit fails cleanly", async () => {
    const empty = join(bench.root, "empty");
    mkdirSync(empty);
    const all = await collect(bench.start(bench.runner(WORK), { repoPath: empty }).events);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ seq: 1, type: "task.failed", payload: { reason: "not_a_repo" } });
    expect(String(all[0]?.payload["detail"])).toContain("is not a git repo or has no commits yet");
  });

  test("an agent without a result line fails, and its late edit is in the diff (C003)", async () => {
    const runner = bench.runner([{ init: {} }, { write: { path: "late.txt", text: "late\n" } }, { exit: 0 }]);
    const { sessionId, events } = bench.start(runner);
    const all = await collect(events);
    expect(all.at(-1)).toMatchObject({ type: "task.failed", payload: { reason: "no_result" } });
    expect(String(all.at(-1)?.payload["detail"])).toContain("the agent exited without a result");
    const diff = await runner.diff(sessionId);
    expect(diff.files.map((file) => file.path)).toEqual(["late.txt"]);
    await expect(runner.approve(sessionId, "no")).rejects.toMatchObject({ code: "illegal_move" });
  });

  test("a program that is not there fails with its name", async () => {
    const runner = bench.runner(WORK, { agentCommand: ["no-such-agent-program"] });
    const all = await collect(bench.start(runner).events);
    expect(all.at(-1)).toMatchObject({ type: "task.failed", payload: { reason: "spawn_failed" } });
    expect(String(all.at(-1)?.payload["detail"])).toContain("no-such-agent-program");
  });

  test("an agent that this version does not run fails before anything is made", async () => {
    const all = await collect(bench.start(bench.runner(WORK), { agent: "air" }).events);
    expect(all).toMatchObject([{ type: "task.failed", payload: { reason: "unsupported_agent" } }]);
    expect(bench.git("branch", "--list", "codehands/*")).toBe("");
  });

  test("what the agent leaves running is ended before the change is read", async () => {
    const runner = bench.runner([
      { init: {} },
      { spawn: { command: ["sh", "-c", "while :; do echo more >> growing.txt; sleep 0.01; done"], setsid: true } },
      { waitFor: "growing.txt" },
      { result: {} },
    ]);
    const { sessionId, events } = bench.start(runner);
    const all = await collect(events);
    expect(all.at(-2)).toMatchObject({ type: "message", payload: { role: "notice", severity: "warn" } });
    expect((await runner.diff(sessionId)).treeId).toBe(all.at(-1)?.payload["treeId"]);
  });

  test("the files of a run are gone when its last event was taken", async () => {
    const all = await collect(bench.start(bench.runner(WORK)).events);
    const runId = String(all[0]?.payload["runId"]);
    expect(existsSync(join(bench.home, "runs", runId))).toBe(false);
  });

  test("a secret of the agent's environment is in no event", async () => {
    const key = "sk-proj-Zx81mQpLw93kVtRb7NcYe42h";
    const runner = bench.runner(
      [
        { init: {} },
        { tool: { id: "t1", name: "Bash", input: { command: "env" } } },
        { toolResult: { id: "t1", content: `OPENAI_API_KEY=${key}` } },
        { result: {} },
      ],
      { environment: { ...process.env, OPENAI_API_KEY: key } },
    );
    const all = await collect(bench.start(runner).events);
    expect(all.map((event) => event.type)).toContain("command.finished");
    expect(JSON.stringify(all)).not.toContain(key);
  });
});

describe("review", () => {
  async function finished(steps: unknown[] = WORK) {
    const runner = bench.runner(steps);
    const { sessionId, events } = bench.start(runner);
    await collect(events);
    return { runner, sessionId };
  }

  test("diff shows new files, and approve lands exactly that as one commit on the branch", async () => {
    const { runner, sessionId } = await finished();
    const base = bench.git("rev-parse", "HEAD");
    const diff = await runner.diff(sessionId);
    expect(diff.patch).toContain("+new");
    const { branch, commit, treeId } = await runner.approve(sessionId, "Make a file", { treeId: diff.treeId });
    expect(treeId).toBe(diff.treeId);
    expect(bench.git("rev-parse", branch)).toBe(commit);
    expect(bench.git("rev-parse", `${commit}^`)).toBe(base);
    expect(bench.git("rev-parse", `${commit}^{tree}`)).toBe(treeId);
    expect(bench.git("log", "-1", "--format=%s", branch)).toBe("Make a file");
    expect(bench.git("rev-parse", "main")).toBe(base);
    expect(bench.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test("approve again gives the same answer; with another tree it is refused", async () => {
    const { runner, sessionId } = await finished();
    const first = await runner.approve(sessionId, "Make a file");
    expect(await runner.approve(sessionId, "Make a file", { treeId: first.treeId })).toEqual(first);
    await expect(runner.approve(sessionId, "x", { treeId: "0".repeat(40) })).rejects.toMatchObject({
      code: "illegal_move",
    });
  });

  test("approve refuses a tree that is not the reviewed one, and changes nothing", async () => {
    const { runner, sessionId } = await finished();
    const before = bench.git("for-each-ref");
    await expect(runner.approve(sessionId, "x", { treeId: "0".repeat(40) })).rejects.toMatchObject({
      code: "stale_tree",
    });
    expect(bench.git("for-each-ref")).toBe(before);
  });

  test("an empty message becomes the first line of the prompt", async () => {
    const { runner, sessionId } = await finished();
    const { branch } = await runner.approve(sessionId, "");
    expect(bench.git("log", "-1", "--format=%s", branch)).toBe("Fix the date");
  });

  test("reject deletes worktree and branch and keeps the content in the trash; undo brings it back", async () => {
    const { runner, sessionId } = await finished();
    const { treeId } = await runner.diff(sessionId);
    await runner.reject(sessionId);
    expect(bench.git("branch", "--list", "codehands/*")).toBe("");
    expect(bench.git("worktree", "list").split("\n")).toHaveLength(1);
    await expect(runner.approve(sessionId, "x")).rejects.toMatchObject({ code: "illegal_move" });

    const into = "12345678-1234-4234-8234-123456789abc";
    const back = await collect(runner.undo(sessionId, into));
    expect(back.at(-1)).toMatchObject({ sessionId: into, type: "task.finished", payload: { treeId, restored: true } });
    expect((await runner.diff(into)).patch).toContain("+new");
    const { branch } = await runner.approve(into, "Back again");
    expect(bench.git("rev-parse", `${branch}^{tree}`)).toBe(treeId);
  });

  test("nothing to approve when the agent changed nothing", async () => {
    const { runner, sessionId } = await finished([{ init: {} }, { result: {} }]);
    await expect(runner.approve(sessionId, "x")).rejects.toMatchObject({
      code: "nothing_to_approve",
      message: expect.stringContaining("nothing to approve: the agent made no changes"),
    });
    await runner.reject(sessionId);
  });

  test("a stopped session can be discarded", async () => {
    const { runner, sessionId } = await finished();
    await runner.discard(sessionId);
    expect(readFileSync(join(bench.repo, ".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(bench.git("branch", "--list", "codehands/*")).toBe("");
  });
});
