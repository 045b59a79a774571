import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readExit } from "./read-exit.ts";
import { lives, openRunFolder, pidIn, type RunFolder, type StartedRun, textOf, until } from "./run-folder.test-kit.ts";
import { isRunAlive, runProcesses } from "./run-processes.ts";
import { stopRun } from "./stop-run.ts";

const WALKER = join(import.meta.dirname, "walker.test-kit.sh");

let folder: RunFolder;
beforeEach(() => {
  folder = openRunFolder();
});
afterEach(() => folder.clean());

const stop = (run: StartedRun, graceMs: number): Promise<{ signalled: number; killed: number }> =>
  stopRun({ process: run.process, runId: run.runId, worktree: folder.worktree, graceMs });
const pidOf = (name: string): Promise<number> => pidIn(`${folder.worktree}/${name}`);
const noneOf = (run: StartedRun): void => {
  expect(runProcesses(run)).toEqual([]);
  expect(isRunAlive(run)).toBe(false);
};

describe("stopRun leaves none", () => {
  test("F03: an agent that obeys SIGTERM is not killed, and its exit code is recorded", async () => {
    const run = await folder.start("trap 'echo bye; exit 7' TERM; echo $$ > a; while :; do sleep 0.01; done");
    await pidOf("a");
    expect(await stop(run, 20_000)).toMatchObject({ killed: 0 });
    noneOf(run);
    expect([readExit(run.runDir), textOf(`${run.runDir}/out.ndjson`)]).toEqual([7, "bye\n"]);
  });

  test("what is counted is the agent's: our own wrapper is none of it", async () => {
    const run = await folder.start("echo $$ > a; exec sleep 300");
    await pidOf("a");
    expect(await stop(run, 20_000)).toEqual({ signalled: 1, killed: 0 });
  });

  test("F03: an agent that ignores SIGTERM is killed, and its exit code is recorded all the same", async () => {
    const run = await folder.start("trap '' TERM HUP; echo $$ > a; while :; do sleep 0.01; done");
    const agent = await pidOf("a");
    const { killed } = await stop(run, 100);
    expect(killed).toBeGreaterThan(0);
    expect(lives(agent)).toBe(false);
    noneOf(run);
    expect(readExit(run.runDir)).toBe(137);
  });

  test("F03: two children in sessions of their own, one of which ignores TERM and HUP", async () => {
    const run = await folder.start(`
      setsid sh -c 'echo $$ > a; exec sleep 300' &
      setsid sh -c 'trap "" TERM HUP; echo $$ > b; while :; do sleep 0.05; done' &
      wait`);
    const [a, b] = [await pidOf("a"), await pidOf("b")];
    await stop(run, 150);
    expect([lives(a), lives(b)]).toEqual([false, false]);
    noneOf(run);
  });

  test("C074: children of children of an agent that was killed before are found by their marker", async () => {
    const run = await folder.start("setsid sh -c 'echo $$ > b; sleep 300; :' & echo $$ > a; exec sleep 300");
    const [a, b] = [await pidOf("a"), await pidOf("b")];
    for (const pid of [a, run.process.pid]) process.kill(pid, "SIGKILL");
    await until("the end of agent and wrapper", () => !lives(a) && !lives(run.process.pid));
    expect(isRunAlive(run)).toBe(true);
    await stop(run, 5_000);
    expect(lives(b)).toBe(false);
    noneOf(run);
  });

  test("a walker that forks away every 10 ms", async () => {
    const run = await folder.start(`setsid sh ${WALKER} 3000 "$PWD/walker" & wait`);
    await until("the walker", () => textOf(`${folder.worktree}/walker`));
    await stop(run, 200);
    noneOf(run);
    const reached = textOf(`${folder.worktree}/walker`);
    // Were one generation left, more would be written while the run is stopped again.
    await stop(run, 0);
    expect(textOf(`${folder.worktree}/walker`)).toBe(reached);
    // It was ended, and did not come to its own end.
    expect(Number(reached?.trimEnd().split("\n").at(-1))).toBeGreaterThan(1);
  });

  test("a child with a wiped environment in a session of its own, while its parent lives", async () => {
    const run = await folder.start(
      `env -i setsid /bin/sh -c 'trap "" TERM; echo $$ > a; while :; do sleep 0.05; done' & wait`,
    );
    const a = await pidOf("a");
    await stop(run, 100);
    expect(lives(a)).toBe(false);
    noneOf(run);
  });

  test("an orphan with a wiped environment that works in the worktree", async () => {
    const run = await folder.start(
      "env -i /bin/sh -c '/bin/sh -c \"echo \\$\\$ > a; exec setsid sleep 300\" &' ; echo $$ > b; exec sleep 300",
    );
    const [a, b] = [await pidOf("a"), await pidOf("b")];
    await stop(run, 5_000);
    expect([lives(a), lives(b)]).toEqual([false, false]);
  });

  test("a frozen agent", async () => {
    const run = await folder.start("trap 'exit 5' TERM; echo $$ > a; while :; do sleep 0.01; done");
    process.kill(await pidOf("a"), "SIGSTOP");
    await stop(run, 20_000);
    noneOf(run);
    expect(readExit(run.runDir)).toBe(5);
  });

  test("C087: a hundred processes at once", async () => {
    const run = await folder.start("i=0; while [ $i -lt 100 ]; do sleep 300 & i=$((i+1)); done; echo $$ > a; wait");
    await pidOf("a");
    expect((await stop(run, 10_000)).signalled).toBeGreaterThanOrEqual(100);
    noneOf(run);
  });

  test("without a grace period all are killed at once, and a second stop has nothing to do", async () => {
    const run = await folder.start("trap 'echo asked' TERM; echo $$ > a; while :; do sleep 0.01; done");
    await pidOf("a");
    expect((await stop(run, 0)).killed).toBeGreaterThan(0);
    expect(textOf(`${run.runDir}/out.ndjson`)).toBeNull();
    expect(await stop(run, 5_000)).toEqual({ signalled: 0, killed: 0 });
  });
});

describe("stopRun leaves alone", () => {
  test("F12: another program that has the number now, and a run with another id", async () => {
    const other = await folder.start("sleep 300");
    const mine = folder.newRun();
    const reused = { ...other.process, startTicks: String(Number(other.process.startTicks) - 100) };
    const result = await stopRun({ process: reused, runId: mine.runId, worktree: null, graceMs: 50 });
    expect(result).toEqual({ signalled: 0, killed: 0 });
    expect(isRunAlive({ process: reused, runId: mine.runId })).toBe(false);
    expect(lives(other.process.pid)).toBe(true);
  });

  test("C075: a zombie counts as ended", async () => {
    // The shell is replaced by a program that never asks after its child.
    const run = await folder.start("sh -c 'echo $$ > a; exit 0' & exec sleep 300");
    const zombie = await pidOf("a");
    await until("the zombie", () => !lives(zombie));
    expect(process.kill(zombie, 0)).toBe(true);
    expect(runProcesses(run).map(({ pid }) => pid)).not.toContain(zombie);
  });

  test("itself and its ancestors, also when they carry the marker of the run", async () => {
    const { runId } = folder.newRun();
    const script = join(import.meta.dirname, "stop-from-inside.test-kit.ts");
    const words = ["--import", import.meta.resolve("tsx"), script, runId];
    const child = spawn(process.execPath, words, { env: { ...process.env, CODEHANDS_RUN_ID: runId } });
    const code = await new Promise((resolve) => child.once("exit", (number, signal) => resolve(signal ?? number)));
    expect(code).toBe(0);
  });

  test("a person's own program that works in the worktree", async () => {
    const run = await folder.start("echo $$ > a; exec sleep 300");
    await pidOf("a");
    const { CODEHANDS_RUN_ID: _, ...env } = process.env;
    const own = spawn("sh", ["-c", "setsid sleep 300 & echo $! > own"], { cwd: folder.worktree, env, detached: true });
    const pid = await pidOf("own");
    expect(own.pid).toBeDefined();
    await stop(run, 5_000);
    expect(lives(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
    expect(readdirSync(folder.worktree).sort()).toEqual(["a", "own"]);
  });
});
