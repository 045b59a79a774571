/** `run` and `resume` from the first word to the end of the session, against a real HTTP server. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { STOPPED, TREE } from "../memory-device.test-kit.ts";

let server: LocalServer;
let repo = "";
beforeEach(async () => {
  server = await startLocalServer();
  repo = mkdtempSync(join(tmpdir(), "codehands-repo-"));
  execFileSync("git", ["init", "-q", repo]);
});
afterEach(async () => {
  await server.close();
  rmSync(repo, { recursive: true, force: true });
});

const call = (words: string[], o: Partial<CallOptions> = {}) => callCli(words, { home: server.home, cwd: repo, ...o });

/** Lets the agent of every started session work and end as told. */
function agentThat(end: (id: string) => void): void {
  server.device.onCommand = (kind, id) => {
    if (kind !== "start" && kind !== "resume") return;
    setImmediate(() => {
      server.device.change(id, { status: "running", branch: "codehands/x", worktree: "/w/x" });
      server.device.add(id, "file.read", { path: "/w/x/a.ts", tool: "Read" });
      server.device.add(id, "file.changed", { path: "/w/x/a.ts", tool: "Edit", change: "update" });
      end(id);
    });
  };
}

const finish = (id: string): void => {
  server.device.add(id, "task.finished", {
    total_cost_usd: 0.02,
    num_turns: 2,
    diffStat: " 1 file changed, 1 insertion(+)",
  });
  server.device.change(id, { status: "awaiting_approval", treeId: TREE });
};

describe("run", () => {
  test("a person follows it live and is told what comes next; the id alone is data", async () => {
    agentThat(finish);
    const { exitCode, stdout, stderr } = await call(["run", "add a thing", "--budget", "2"]);
    const id = stdout.trim();
    const name = id.slice(0, 4);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(stderr.trim().split("\n")).toEqual([
      `○ ${id.slice(0, 8)}  a-title   sample · sonnet   budget $2.00`,
      `  worktree /w/x   branch codehands/x (from main@a41c9e2)`,
      "  00:01  Read a.ts",
      "  00:02  Edited a.ts",
      "  00:03  Finished · $0.02 · 2 turns · 1 file +1 -0",
      `◆ Waiting for you.   codehands diff ${name}   codehands approve ${name}   codehands reject ${name}`,
    ]);
  });

  test("the default budget is named as one", async () => {
    const { stderr } = await call(["run", "-d", "x"]);
    expect(stderr).toContain("budget $0.50 (default; --budget changes it)");
  });

  test("--wait --json: every event is a line, the session the last", async () => {
    agentThat(finish);
    const { exitCode, stdout, stderr } = await call(["run", "x", "--wait", "--json"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; session?: { status: string } });
    expect(lines.map((line) => line.type)).toEqual(["file.read", "file.changed", "task.finished", "result"]);
    expect(lines.at(-1)?.session?.status).toBe("awaiting_approval");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("--json: the ended session alone", async () => {
    agentThat(finish);
    const { stdout } = await call(["run", "x", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "awaiting_approval", treeId: TREE });
  });

  test.each([
    ["failed", "agent_error", 6],
    ["stopped", "budget", 9],
    ["stopped", "auth_expired", 4],
    ["stopped", "person", 8],
    ["failed", "discarded", 10],
  ] as const)("ended as %s (%s): exit %d", async (status, reason, exitCode) => {
    agentThat((id) => server.device.change(id, { status, reason }));
    expect((await call(["run", "x", "--wait"])).exitCode).toBe(exitCode);
  });

  test("the prompt comes from the argument, from - or from a pipe", async () => {
    await call(["run", "-d", "from the argument"], { input: "not this" });
    await call(["run", "-d", "-"], { input: "from\nstdin\n" });
    await call(["run", "-d"], { input: " piped " });
    await call(["run", "-d", "--", "--json is a word here"]);
    const prompts = ["from the argument", "from\nstdin", "piped", "--json is a word here"];
    expect(server.device.arrived.map(({ input }) => input.prompt)).toEqual(prompts);
    expect(server.device.arrived.map(({ input }) => input.repoPath)).toEqual(prompts.map(() => repo));
  });

  test("on a terminal the prompt is asked for, with --no-input it is not", async () => {
    await call(["run", "-d"], { tty: true, input: "typed in\n" });
    expect(server.device.arrived[0]?.input.prompt).toBe("typed in");
    const { exitCode, stderr } = await call(["run", "-d", "--no-input"], { tty: true, input: "typed in\n" });
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain("What should be done?");
  });

  test("a lost answer is asked for again with the same ids: one session, one command", async () => {
    server.loseAnswerOf("/trpc/sessions.start");
    const { exitCode, stdout } = await call(["run", "-d", "x"]);
    expect(exitCode).toBe(0);
    const [first, second, ...more] = server.device.arrived;
    expect(more).toEqual([]);
    expect(second?.input).toEqual(first?.input);
    expect(server.device.answers.size).toBe(1);
    expect(stdout.trim()).toBe(first?.input.sessionId);
    expect(first?.input.commandId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});

describe("Ctrl-C while following", () => {
  const interrupt = async (presses: number) => {
    agentThat(() => undefined);
    let press = (): void => undefined;
    const called = await call(["run", "x"], {
      interrupts: (given) => {
        press = given;
      },
      onStderr: (text) => {
        if (text.includes("Edited") || (presses > 1 && text.includes("again to stop"))) press();
      },
    });
    return called;
  };

  test("once: the session goes on, and the way back is named", async () => {
    const { exitCode, stderr, stdout } = await interrupt(1);
    const name = stdout.slice(0, 4);
    expect(exitCode).toBe(130);
    expect(stderr).toContain(`Detached. Session ${name} goes on.   codehands logs ${name} -f   codehands stop ${name}`);
    expect(server.device.arrived.map(({ kind }) => kind)).toEqual(["start"]);
  });

  test("twice: it is stopped", async () => {
    const { exitCode, stderr, stdout } = await interrupt(2);
    expect(exitCode).toBe(130);
    expect(stderr).toContain("Stopped. Its work is kept.");
    expect(server.device.sessions.get(stdout.trim())?.status).toBe("stopped");
  });
});

describe("resume", () => {
  test("follows the new run alone, and does not take the old ending for the new one", async () => {
    for (let seq = 1; seq <= 3; seq += 1) server.device.add(STOPPED, "message", { text: `old ${seq}` });
    agentThat(finish);
    const { exitCode, stdout, stderr } = await call(["resume", "9def", "go on", "--budget", "4"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).not.toContain("old");
    expect(stderr).toContain("Read a.ts");
    expect(stderr).toContain("◆ Waiting for you.");
    expect(server.device.arrived[0]?.input).toMatchObject({
      sessionId: STOPPED,
      prompt: "go on",
      budgetUsd: 4,
      expects: ["stopped"],
    });
  });
});
