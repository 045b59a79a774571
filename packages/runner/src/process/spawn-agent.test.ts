import { execFile } from "node:child_process";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunnerError } from "../runner-error.ts";
import { hostLinux } from "./host-linux.ts";
import type { SpawnRequest } from "./process-types.ts";
import { readExit } from "./read-exit.ts";
import { lives, openRunFolder, pidIn, type RunFolder, textOf, until } from "./run-folder.test-kit.ts";
import { spawnAgent } from "./spawn-agent.ts";

let folder: RunFolder;
beforeEach(() => {
  folder = openRunFolder();
});
afterEach(() => folder.clean());

const exitOf = (runDir: string): Promise<number> => until("the exit code", () => readExit(runDir));
const request = (change: Partial<SpawnRequest>): SpawnRequest => ({
  ...folder.newRun(),
  command: ["true"],
  cwd: folder.worktree,
  env: { PATH: process.env["PATH"] ?? "" },
  stdin: null,
  ...change,
});

describe("spawnAgent", () => {
  test.each([0, 1, 9, 137, 199])("F02: the exit code %i is written", async (code) => {
    expect(await exitOf((await folder.start(`exit ${code}`)).runDir)).toBe(code);
  });

  test("output goes to files that only the person can read, in a folder that only the person can enter", async () => {
    const { runDir } = await folder.start("echo out; echo err >&2", { stdin: "prompt" });
    await exitOf(runDir);
    expect([textOf(`${runDir}/out.ndjson`), textOf(`${runDir}/err.log`)]).toEqual(["out\n", "err\n"]);
    expect(statSync(runDir).mode & 0o777).toBe(0o700);
    for (const name of ["out.ndjson", "err.log", "exit", "stdin"]) {
      expect(statSync(`${runDir}/${name}`).mode & 0o077).toBe(0);
    }
  });

  test("C006: standard input is at its end, or is the text that was given and then at its end", async () => {
    const without = await folder.start("cat; echo end");
    expect(await exitOf(without.runDir)).toBe(0);
    expect(textOf(`${without.runDir}/out.ndjson`)).toBe("end\n");
    const prompt = `${"long ".repeat(100_000)}ü`;
    const given = await folder.start("cat", { stdin: prompt });
    await exitOf(given.runDir);
    expect(textOf(`${given.runDir}/out.ndjson`)).toBe(prompt);
  });

  test("C134: there is no terminal to wait for", async () => {
    const { runDir } = await folder.start("if cat </dev/tty; then echo terminal; else echo none; fi");
    await exitOf(runDir);
    expect(textOf(`${runDir}/out.ndjson`)).toBe("none\n");
  });

  test("the environment is exactly the one that was given, and words arrive as they are", async () => {
    const words = ["a b", "$HOME", "`id`", '"', "", "*", "-n", "ü\n"];
    const program = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))";
    const asked = request({
      command: [process.execPath, "-e", program, "--", ...words],
      env: { PATH: "/bin", ONE: "1" },
    });
    await spawnAgent(asked);
    await exitOf(asked.runDir);
    const [argv, env] = JSON.parse(readFileSync(`${asked.runDir}/out.ndjson`, "utf8")) as [string[], object];
    expect(argv).toEqual(words);
    expect(env).toEqual({ PATH: "/bin", ONE: "1", PWD: folder.worktree });
  });

  test("the name holds while the process lives: own group, start time, boot id", async () => {
    const { process: name } = await folder.start("sleep 300");
    expect(name.pgid).toBe(name.pid);
    expect(hostLinux.look(name.pid)).toMatchObject({ pgid: name.pid, startTicks: name.startTicks });
    expect(name.bootId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("the working directory is the real one behind a link", async () => {
    symlinkSync(folder.worktree, `${folder.root}/link`);
    const asked = request({ command: ["/bin/pwd", "-P"], cwd: `${folder.root}/link` });
    await spawnAgent(asked);
    await exitOf(asked.runDir);
    expect(textOf(`${asked.runDir}/out.ndjson`)).toBe(`${folder.worktree}\n`);
  });

  test.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGQUIT", 131],
    ["SIGUSR1", 138],
    ["SIGUSR2", 140],
    ["SIGTERM", 143],
    ["SIGXFSZ", 153],
  ] as const)("%s to the whole group is recorded as %i: the wrapper outlives it", async (signal, code) => {
    const { runDir, process: name } = await folder.start("echo $$ > pid; exec sleep 300");
    await pidIn(`${folder.worktree}/pid`);
    process.kill(-name.pgid, signal);
    expect(await exitOf(runDir)).toBe(code);
  });

  test("a program that is a word of the shell is still looked up as a program", async () => {
    writeFileSync(`${folder.root}/exit`, "#!/bin/sh\necho from the file\n", { mode: 0o755 });
    const asked = request({ command: ["exit", "3"], env: { PATH: `${folder.root}:/bin` } });
    await spawnAgent(asked);
    expect(await exitOf(asked.runDir)).toBe(0);
    expect(textOf(`${asked.runDir}/out.ndjson`)).toBe("from the file\n");
  });
});

describe("spawnAgent refuses", () => {
  const refused = async (asked: SpawnRequest): Promise<RunnerError> => {
    const error: unknown = await spawnAgent(asked).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunnerError);
    return error as RunnerError;
  };

  test.each(["no-such-agent", "./no-such-agent", "/bin", ""])("a program that is not there: %j", async (name) => {
    const asked = request({ command: [name] });
    const error = await refused(asked);
    expect(error.code).toBe("spawn_failed");
    expect(error.message).toContain(`"${name}" was not found`);
    expect(error.message).toContain("Nothing was started");
    expect(statSync(asked.runDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a worktree that is gone", async () => {
    expect((await refused(request({ cwd: `${folder.root}/gone` }))).code).toBe("worktree_missing");
  });

  test("F39: arguments longer than the system takes, and leaves no folder", async () => {
    const asked = request({ command: ["true", "x".repeat(3 << 20)] });
    expect(await refused(asked)).toMatchObject({ code: "spawn_failed", message: expect.stringContaining("longer") });
    expect(statSync(asked.runDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each([0, 1, 2])("F39: %i files left to open, and leaves nothing", async (free) => {
    const program = join(import.meta.dirname, "spawn-at-limit.test-kit.ts");
    const words = [process.execPath, "--import", import.meta.resolve("tsx"), program, folder.root, String(free)];
    const { stdout } = await promisify(execFile)("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...words]);
    const told = JSON.parse(stdout) as { code: string; message: string; left: boolean };
    expect(told).toMatchObject({
      code: "spawn_failed",
      left: false,
      message: expect.stringMatching(/files|not found/),
    });
  });

  test("a second start of the same run, and the first goes on unharmed", async () => {
    const { runId, runDir, process: name } = await folder.start("sleep 300");
    expect(await refused(request({ runId, runDir }))).toMatchObject({ message: expect.stringContaining("before") });
    expect(lives(name.pid)).toBe(true);
    expect(textOf(`${runDir}/exit`)).toBe("...\n");
  });

  test("a folder of runs that cannot be made", async () => {
    writeFileSync(`${folder.root}/file`, "");
    expect((await refused(request({ runDir: `${folder.root}/file/run` }))).code).toBe("spawn_failed");
  });
});
