import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, expect, test } from "vitest";
import { git } from "../kit/git.ts";
import { openMachine, pair, parse, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import { type TempHome, until } from "../kit/temp-home.ts";
import { installClaude } from "./install-claude.ts";
import { type MockLlm, startMockLlm } from "./mock-llm.mjs";

let machines: TempHome[] = [];
let cloud: ServedCloud | null = null;
let model: MockLlm | null = null;
afterEach(async () => {
  // Before the machines: it works in the home of one of them.
  await cloud?.stop();
  for (const machine of machines) await machine.remove();
  await model?.close();
  machines = [];
});

const SCRIPT = JSON.parse(readFileSync(new URL("date-bug.claude.json", import.meta.url), "utf8")) as object;

test("the real Claude Code on the laptop: the desk follows it, reviews the change and approves it", async () => {
  model = await startMockLlm({ script: SCRIPT });
  const [host, desk] = [openMachine(), openMachine()];
  const laptop = openMachine({
    CODEHANDS_AGENT_COMMAND_CLAUDE_CODE: JSON.stringify([installClaude()]),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "dummy-key-that-must-not-be-stored",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  });
  machines = [laptop, desk, host];
  const repo = join(laptop.root, "repo");
  mkdirSync(repo);
  await makeSampleRepo(repo);
  cloud = await serveCloud(host, { dataDir: join(host.root, "cloud") });
  await signUp(laptop, cloud.url);
  await pair(laptop, desk, cloud.url);

  const prompt = "Fix the failing test. Run npm test to check.";
  const run = await laptop.cli(["run", prompt, "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  const { id } = parse(run) as { id: string };
  await until(async () => (await desk.cli(["show", id, "--json"])).exitCode === 0, 60);
  const followed = await desk.cli(["logs", id, "-f", "--json"]);
  const events = followed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number; type: string });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["task.started", "file.changed", "test.result", "task.finished"]),
  );

  await until(async () => (await desk.cli(["diff", id, "--patch"])).stdout.includes("getUTCMonth() + 1"), 60);
  const approved = parse(await desk.cli(["approve", id, "--wait", "--json"])) as {
    branch: string;
    commit: string;
    treeId: string;
  };
  expect(git(repo, "rev-parse", approved.branch)).toBe(approved.commit);
  expect(git(repo, "rev-parse", `${approved.commit}^{tree}`)).toBe(approved.treeId);
  for (const machine of [laptop, desk])
    expect(readFileSync(join(machine.home, "state.db"), "latin1")).not.toContain("dummy-key-that-must-not-be-stored");
});
