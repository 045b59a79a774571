import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, beforeAll, expect, test } from "vitest";
import { fingerprintCheckout } from "../kit/fingerprint-checkout.ts";
import { git } from "../kit/git.ts";
import { openTempHome, type TempHome } from "../kit/temp-home.ts";
import { installClaude } from "./install-claude.ts";
import { type MockLlm, startMockLlm } from "./mock-llm.mjs";

let program: string;
let machine: TempHome;
let model: MockLlm;
beforeAll(() => {
  program = installClaude();
});
afterEach(async () => {
  await machine.remove();
  await model.close();
});

const SCRIPT = JSON.parse(readFileSync(new URL("date-bug.claude.json", import.meta.url), "utf8")) as object;

/** A machine on which the real Claude Code is installed, with a scripted model on loopback. */
async function openMachine(script: object): Promise<string> {
  model = await startMockLlm({ script });
  machine = openTempHome({
    CODEHANDS_AGENT_COMMAND_CLAUDE_CODE: JSON.stringify([program]),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "dummy-key-that-must-not-be-stored",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  });
  const repo = join(machine.root, "repo");
  mkdirSync(repo);
  await makeSampleRepo(repo);
  return repo;
}

test("the real Claude Code: run, diff, approve; one commit on its branch, the checkout untouched byte for byte", async () => {
  const repo = await openMachine(SCRIPT);
  const base = git(repo, "rev-parse", "HEAD");
  const before = fingerprintCheckout(repo);

  const run = await machine.cli([
    "run",
    "Fix the failing test. Run npm test to check.",
    "-C",
    repo,
    "--agent",
    "claude-code",
    "--wait",
    "--json",
  ]);
  expect(run.stderr).not.toMatch(/^error/m);
  expect(run.exitCode).toBe(0);
  const lines = run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.type)).toEqual(
    expect.arrayContaining([
      "task.started",
      "message",
      "file.read",
      "file.changed",
      "command.started",
      "command.finished",
      "test.result",
      "task.finished",
    ]),
  );
  const last = lines.at(-1);
  expect(last).toMatchObject({ type: "result", session: { status: "awaiting_approval", agent: "claude-code" } });
  const { id, shortId, treeId } = last.session;

  const diff = await machine.cli(["diff", id]);
  expect(diff.stdout).toContain("+  const month = String(date.getUTCMonth() + 1)");

  const approved = JSON.parse((await machine.cli(["approve", id, "--json"])).stdout);
  expect(approved).toMatchObject({ sessionId: id, status: "approved", treeId });
  expect(approved.branch).toMatch(new RegExp(`^codehands/[a-z0-9-]+-${shortId}$`));
  expect(git(repo, "rev-parse", approved.branch)).toBe(approved.commit);
  expect(git(repo, "rev-parse", `${approved.commit}^`)).toBe(base);
  expect(git(repo, "rev-parse", `${approved.commit}^{tree}`)).toBe(treeId);
  expect(git(repo, "rev-list", "--count", `${base}..${approved.branch}`)).toBe("1");
  expect(fingerprintCheckout(repo)).toEqual(before);

  const stored = readFileSync(join(machine.home, "state.db"), "latin1");
  expect(stored).not.toContain("dummy-key-that-must-not-be-stored");
});

test("the real Claude Code stopped in the middle goes on with the same session, and the numbering with it", async () => {
  const repo = await openMachine({
    turns: [
      {
        blocks: [
          { type: "text", text: "First I wait." },
          { type: "tool_use", name: "Bash", input: { command: "npm test", description: "Run the tests" } },
        ],
      },
      { hang: true },
      { blocks: [{ type: "text", text: "Going on after the stop." }] },
    ],
  });
  const started = JSON.parse(
    (await machine.cli(["run", "wait", "-C", repo, "--agent", "claude-code", "--detach", "--json"])).stdout,
  );
  const seen = async () => (await machine.cli(["logs", started.id, "--json", "-n", "500"])).stdout;
  await expect.poll(seen, { timeout: 60_000, interval: 200 }).toContain("test.result");

  const stopped = await machine.cli(["stop", started.id]);
  expect(stopped.exitCode).toBe(0);
  const resumed = await machine.cli(["resume", started.id, "go on", "--wait", "--json"]);
  expect(resumed.stderr).not.toMatch(/^error/m);
  const events = (await seen())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map((event) => event.type)).toEqual(expect.arrayContaining(["task.stopped", "task.finished"]));
  expect(events.at(-1)).toMatchObject({ type: "task.finished" });
  expect(JSON.stringify(events)).toContain("Going on after the stop.");
});
