import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run, RunnerEvent } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lives } from "./process/run-folder.test-kit.ts";
import { type Bench, collect, openBench, takeUntil } from "./runner.test-kit.ts";
import { SessionStore } from "./session/session-store.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

const ready = (event: RunnerEvent) => event.payload["text"] === "ready";

/** Living processes with the session's marker. */
function living(sessionId: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const marked = readFileSync(`/proc/${pid}/environ`, "latin1").includes(`CODEHANDS_SESSION_ID=${sessionId}\0`);
      return marked && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  });
}

describe("stop and resume", () => {
  const HANG = [
    { init: {} },
    { write: { path: "half.txt", text: "half\n" } },
    { spawn: { command: ["sleep", "1000"], setsid: true } },
    { text: "ready" },
    { hang: true },
  ];

  test("stop ends the agent and its children, keeps the worktree, and task.stopped comes out of the stream", async () => {
    const runner = bench.runner(HANG);
    const { sessionId, events } = bench.start(runner);
    const { rest } = await takeUntil(events, ready);
    expect(living(sessionId).length).toBeGreaterThan(1);
    await runner.stop(sessionId, { by: "device-1" });
    expect(living(sessionId)).toEqual([]);
    const after = await collect(rest);
    expect(after.at(-1)).toMatchObject({ type: "task.stopped", payload: { reason: "person", by: "device-1" } });
    expect((await runner.diff(sessionId)).files.map((file) => file.path)).toEqual(["half.txt"]);
  });

  test("stop inside the loop over the events does not wait for itself", async () => {
    const runner = bench.runner(HANG);
    const { sessionId, events } = bench.start(runner);
    const seen: string[] = [];
    for await (const event of events) {
      seen.push(event.type);
      if (ready(event)) await runner.stop(sessionId, { now: true });
    }
    expect(seen.at(-1)).toBe("task.stopped");
  });

  test("stop refuses a session that is not running", async () => {
    const runner = bench.runner([{ init: {} }, { result: {} }]);
    const { sessionId, events } = bench.start(runner);
    await collect(events);
    await expect(runner.stop(sessionId)).rejects.toMatchObject({ code: "illegal_move" });
    await expect(runner.stop("00000000-0000-4000-8000-00000000dead")).rejects.toMatchObject({ code: "not_found" });
  });

  test("resume goes on with the numbering, passes the prompt, can be stopped again, and refuses a session that is not stopped", async () => {
    const runner = bench.runner(HANG);
    const { sessionId, events } = bench.start(runner);
    const first = await takeUntil(events, ready);
    await expect(collect(runner.resume(sessionId))).rejects.toMatchObject({ code: "already_running" });
    await runner.stop(sessionId, { now: true });
    const stopped = [...first.taken, ...(await collect(first.rest))];

    const second = await takeUntil(runner.resume(sessionId, "go on"), ready);
    expect(second.taken[0]).toMatchObject({
      type: "task.started",
      seq: stopped.length + 1,
      payload: { resumed: true },
    });
    await runner.stop(sessionId, { now: true });
    const last = (await collect(second.rest)).at(-1);
    expect(last).toMatchObject({ type: "task.stopped" });
    await runner.discard(sessionId);
    await expect(collect(runner.resume(sessionId))).rejects.toMatchObject({ code: "illegal_move" });
  });

  test("resume refuses when the budget is used up, and goes on with a higher one", async () => {
    const over = {
      subtype: "error_max_budget_usd",
      is_error: true,
      errors: ["Reached maximum budget ($0.5)"],
      total_cost_usd: 0.6,
      terminal_reason: "budget_exhausted",
    };
    const runner = bench.runner([{ init: {} }, { result: over }, { exit: 1 }]);
    const { sessionId, events } = bench.start(runner, { budgetUsd: 0.5 });
    expect((await collect(events)).at(-1)).toMatchObject({ type: "task.stopped", payload: { reason: "budget" } });
    await expect(collect(runner.resume(sessionId))).rejects.toMatchObject({ code: "cannot_resume" });
    const again = await collect(runner.resume(sessionId, "go on", { budgetUsd: 2 }));
    expect(again[0]).toMatchObject({ type: "task.started" });
  });

  test("a resume never works on the person's checkout: a pointer that an agent bent is put right first (C029)", async () => {
    const runner = bench.runner(HANG);
    const { sessionId, events } = bench.start(runner);
    const { rest } = await takeUntil(events, ready);
    await runner.stop(sessionId, { now: true });
    await collect(rest);
    writeFileSync(join(worktreeOf(bench), ".git"), `gitdir: ${bench.repo}/.git\n`);
    const again = await takeUntil(runner.resume(sessionId), ready);
    expect(again.taken[0]?.payload["cwd"]).toBe(worktreeOf(bench));
    await runner.stop(sessionId, { now: true });
    await collect(again.rest);
    // The pointer is ours again, so nothing the agent runs there reaches the person's own checkout.
    expect(readFileSync(join(worktreeOf(bench), ".git"), "utf8")).toContain(`${bench.repo}/.git/worktrees/`);
    expect(bench.git("status", "--porcelain")).toBe("");
  });
});

function worktreeOf(at: Bench): string {
  const key = readdirSync(join(at.home, "worktrees"))[0] ?? "";
  const name = readdirSync(join(at.home, "worktrees", key))[0] ?? "";
  return join(at.home, "worktrees", key, name);
}

describe("the end of a run", () => {
  /** Notes the number of its shell in the worktree, and stays. */
  const stay = (name: string) => `echo $$ > ${name}.part; mv ${name}.part ${name}; exec sleep 1000`;

  test("ends what the agent left running, also an orphan that wiped its environment, and says how many", async () => {
    const left = [
      { init: {} },
      { spawn: { command: ["sh", "-c", stay("marked")], setsid: true } },
      { exec: ["sh", "-c", `env -i setsid /bin/sh -c '${stay("wiped")}' &`] },
      { waitFor: "{{cwd}}/marked" },
      { waitFor: "{{cwd}}/wiped" },
      { result: {} },
    ];
    const { events } = bench.start(bench.runner(left));
    const all = await collect(events);
    const notices = all.filter(({ payload }) => payload["role"] === "notice").map(({ payload }) => payload["text"]);
    expect(notices).toEqual([expect.stringContaining("The agent left 2 processes running; ended")]);
    for (const name of ["marked", "wiped"]) {
      expect(lives(Number(readFileSync(join(worktreeOf(bench), name), "utf8"))), name).toBe(false);
    }
  });
});

describe("attach", () => {
  test("a second runner goes on where the first left off: nothing lost, nothing doubled", async () => {
    const records = new SessionStore();
    const gate = join(bench.root, "gate");
    const steps = [
      { init: {} },
      { text: "one" },
      { text: "two" },
      { waitFor: gate },
      { text: "three" },
      { result: {} },
    ];
    let stored = 0;
    const taken: RunnerEvent[] = [];
    const first = bench.runner(steps, { records, onPosition: ({ byteOffset }) => (stored = byteOffset) });
    const { sessionId, events } = bench.start(first);
    const iterator = events[Symbol.asyncIterator]();
    for (let event = await iterator.next(); !event.done; event = await iterator.next()) {
      taken.push(event.value);
      if (event.value.payload["text"] === "two") break;
    }
    // The consumer dies here, having stored what the last position covers.
    records.update(sessionId, { lastSeq: 2 });
    const run = { ...(records.runs(sessionId)[0] as Run), byteOffset: stored };

    const second = bench.runner(steps, { records });
    writeFileSync(gate, "");
    const after = await collect(second.attach(run));
    expect(after.map((event) => event.seq)).toEqual([3, 4, 5]);
    expect(after.map((event) => event.payload["text"] ?? event.type)).toEqual(["two", "three", "task.finished"]);
    expect(taken.map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(existsSync(join(bench.home, "runs", run.id))).toBe(false);
  });
});
