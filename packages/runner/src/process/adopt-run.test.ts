import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adoptRun } from "./adopt-run.ts";
import { readExit } from "./read-exit.ts";
import { lives, openRunFolder, pidIn, type RunFolder, until } from "./run-folder.test-kit.ts";
import { spawnAgent } from "./spawn-agent.ts";

let folder: RunFolder;
beforeEach(() => {
  folder = openRunFolder();
});
afterEach(() => folder.clean());

describe("adoptRun", () => {
  test("C071: a living run is told by its process, with or without a stored name", async () => {
    const run = await folder.start("sleep 300");
    await pidIn(`${run.runDir}/pid`);
    const live = { state: "live", process: run.process };
    expect(await adoptRun(run)).toEqual(live);
    expect(await adoptRun({ ...run, process: null })).toEqual(live);
  });

  test("a run that ended has its exit code, with or without a stored name", async () => {
    const run = await folder.start("exit 17");
    await until("the end", () => readExit(run.runDir) !== null);
    expect(await adoptRun(run)).toEqual({ state: "exited", exitCode: 17 });
    expect(await adoptRun({ ...run, process: null })).toEqual({ state: "exited", exitCode: 17 });
  });

  test("a spawn that never came is never_started, however often it is asked", async () => {
    const { runId, runDir } = folder.newRun();
    mkdirSync(runDir, { recursive: true });
    writeFileSync(`${runDir}/exit`, "...\n");
    expect(await adoptRun({ runId, runDir, process: null })).toEqual({ state: "never_started" });
    expect(await adoptRun({ runId, runDir, process: null })).toEqual({ state: "never_started" });
  });

  test("after never_started the agent cannot start any more: the wrapper finds the claim taken and ends", async () => {
    const run = folder.newRun();
    expect(await adoptRun({ ...run, process: null })).toEqual({ state: "never_started" });
    const env = { PATH: process.env["PATH"] ?? "" };
    const name = await spawnAgent({ ...run, command: ["touch", "ran"], cwd: folder.worktree, env, stdin: null });
    await until("the wrapper's end", () => !lives(name.pid));
    expect(readdirSync(folder.worktree)).toEqual([]);
    expect(readExit(run.runDir)).toBeNull();
  });

  test("a claim without a number and without a process is never_started: the wrapper ended before the agent", async () => {
    const { runId, runDir } = folder.newRun();
    mkdirSync(runDir, { recursive: true });
    writeFileSync(`${runDir}/pid`, "");
    expect(await adoptRun({ runId, runDir, process: null })).toEqual({ state: "never_started" });
  });

  test("the wrapper is killed and the agent lives on: still live, named by the agent", async () => {
    const run = await folder.start("echo $$ > pid; exec sleep 300");
    const agent = await pidIn(`${folder.worktree}/pid`);
    process.kill(run.process.pid, "SIGKILL");
    await until("the wrapper's end", () => !lives(run.process.pid));
    const adoption = await adoptRun(run);
    expect(adoption).toMatchObject({ state: "live", process: { pid: agent } });
    expect(await adoptRun({ ...run, process: null })).toEqual(adoption);
  });

  test("wrapper and agent are killed: gone", async () => {
    const run = await folder.start("echo $$ > pid; exec sleep 300");
    const agent = await pidIn(`${folder.worktree}/pid`);
    for (const pid of [run.process.pid, agent]) process.kill(pid, "SIGKILL");
    await until("the end", () => !lives(agent) && !lives(run.process.pid));
    expect(await adoptRun(run)).toEqual({ state: "gone" });
    expect(await adoptRun({ ...run, process: null })).toEqual({ state: "gone" });
  });

  test.each([
    ["F12: another start time", { startTicks: "1" }],
    ["another start of the machine", { bootId: "00000000-0000-0000-0000-000000000000" }],
  ])("%s under the same number is not the run", async (_, change) => {
    const stranger = await folder.start("sleep 300");
    const { runId, runDir } = folder.newRun();
    mkdirSync(runDir, { recursive: true });
    expect(await adoptRun({ runId, runDir, process: { ...stranger.process, ...change } })).toEqual({ state: "gone" });
    expect(lives(stranger.process.pid)).toBe(true);
  });
});
