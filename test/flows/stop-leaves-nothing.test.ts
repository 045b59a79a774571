import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, expect, test } from "vitest";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { isAlive, openTempHome, type TempHome, until } from "../kit/temp-home.ts";

let machine: TempHome;
afterEach(() => machine.remove());

/** Living processes that carry the session's marker in their environment. */
function marked(sessionId: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`CODEHANDS_SESSION_ID=${sessionId}`);
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter(isAlive);
}

test("no process is left when stop returns, for an agent that ignores SIGTERM and forks with setsid (G07, C074)", async () => {
  machine = openTempHome();
  const repo = join(machine.root, "repo");
  await makeSampleRepo(repo);
  const stubborn = "trap '' TERM HUP INT; while :; do sleep 1; done";
  const command = scriptedAgent(join(machine.root, "script.json"), [
    { ignore: ["SIGTERM", "SIGINT", "SIGHUP"] },
    { init: {} },
    { spawn: { command: ["sh", "-c", stubborn], setsid: true } },
    { spawn: { command: ["setsid", "sh", "-c", `${stubborn} & ${stubborn}`], setsid: true } },
    { write: { path: "half-done.txt", text: "half\n" } },
    { text: "ready" },
    { hang: true },
  ]);
  machine.env = Object.assign(machine.env, asClaude(command));

  const started = await machine.cli(["run", "hang", "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  const { id } = JSON.parse(started.stdout) as { id: string };
  await until(async () => (await machine.cli(["logs", id, "--json"])).stdout.includes('"ready"'));
  expect(marked(id).length).toBeGreaterThan(4);

  const stopped = await machine.cli(["stop", id, "--json"]);
  expect(marked(id)).toEqual([]);
  expect(stopped.exitCode).toBe(0);

  const shown = JSON.parse((await machine.cli(["show", id, "--json"])).stdout) as { status: string; reason: string };
  expect(shown).toMatchObject({ status: "stopped", reason: "person" });
  // What the agent had done is kept.
  expect((await machine.cli(["diff", id, "--name-only"])).stdout).toContain("half-done.txt");
});
