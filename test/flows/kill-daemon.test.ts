import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, expect, test } from "vitest";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { isAlive, openTempHome, type TempHome, until } from "../kit/temp-home.ts";

let machine: TempHome;
afterEach(() => machine.remove());

interface EventLine {
  seq: number;
  type: string;
  payload: { text?: string; runId?: string };
}

test("kill -9 of the daemon in the middle of a run: the same run goes on, no event lost or doubled (F01, C071)", async () => {
  machine = openTempHome();
  const repo = join(machine.root, "repo");
  await makeSampleRepo(repo);
  const ticks = 300;
  const command = scriptedAgent(join(machine.root, "script.json"), [
    { init: {} },
    { count: { to: ticks, everyMs: 10, textBytes: 200 } },
    { write: { path: "made.txt", text: "made by the agent\n" } },
    { result: {} },
  ]);
  machine.env = Object.assign(machine.env, asClaude(command));

  const started = await machine.cli(["run", "count", "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  expect(started.stderr).not.toContain("error");
  const { id } = JSON.parse(started.stdout) as { id: string };
  const log = async () => {
    const { stdout } = await machine.cli(["logs", id, "--json", "-n", "1000"]);
    return stdout
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as EventLine);
  };

  // A command starts the daemon again after each kill; the last time it is the one that waits through it.
  const kill = async () => {
    const { pid } = machine.daemon() ?? { pid: 0 };
    await machine.killDaemon();
    expect(isAlive(pid)).toBe(false);
  };
  for (const seen of [20, 90]) {
    await until(async () => (await log()).length > seen);
    await kill();
  }
  const waiting = machine.cli(["wait", id, "--timeout", "60"]);
  await until(async () => (await log()).length > 180);
  await kill();
  expect(await waiting).toMatchObject({ exitCode: 0 });
  const events = await log();
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const texts = events
    .filter((event) => event.type === "message")
    .map((event) => event.payload.text?.match(/^tick \d+/)?.[0]);
  expect(texts).toEqual(Array.from({ length: ticks }, (_, index) => `tick ${index + 1}`));
  expect(events.filter((event) => event.type === "task.started")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("task.finished");
  const diff = await machine.cli(["diff", id, "--name-only"]);
  expect(diff.stdout).toContain("made.txt");
});
