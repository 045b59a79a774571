import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { RunnerError } from "../runner-error.ts";
import { findProgram } from "./find-program.ts";
import { pickHost } from "./pick-host.ts";
import type { ProcessName, SpawnRequest } from "./process-types.ts";

/**
 * The wrapper. `set -C` makes the pid file a claim: whoever creates it first decides whether the agent starts. `trap :`
 * keeps the wrapper alive to write the exit code while its child gets the default action. The code goes in place into a
 * file that was written before, so that it also lands on a full disk.
 */
const LINE =
  'set -C; echo $$ >"$0/pid" || exit 97; set +C; trap : HUP INT QUIT TERM USR1 USR2 XFSZ; "$@"; printf "%03d\\n" $? 1<>"$0/exit"';

/**
 * Starts an agent that outlives us: own session, no terminal, output into files of the run's folder. Throws RunnerError
 * `spawn_failed`, `worktree_missing` or `disk_full`, and then nothing runs and the folder is gone again.
 */
export async function spawnAgent(request: SpawnRequest): Promise<ProcessName> {
  const host = pickHost();
  const cwd = realDirectory(request.cwd);
  const [name = "", ...args] = request.command;
  const path = request.env["PATH"] ?? "";
  const program = findProgram({ name, path, cwd });
  if (program === null) throw missingProgram(name, path);

  prepareRunDir(request.runDir);
  try {
    const child = start({ ...request, command: [program, ...args], cwd });
    // Looked at before the event loop turns: even a wrapper that has ended is still known to the system.
    const facts = child.pid === undefined ? null : host.look(child.pid);
    await spawned(child);
    if (facts === null) throw unseen(child.pid);
    return { pid: facts.pid, pgid: facts.pid, startTicks: facts.startTicks, bootId: host.bootId() };
  } catch (error) {
    removeRunDir(request.runDir);
    throw asSpawnError(error, program);
  }
}

function realDirectory(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (cause) {
    const text = `The worktree ${cwd} is not there any more, so the agent was not started.`;
    throw new RunnerError("worktree_missing", text, { cause });
  }
}

function prepareRunDir(runDir: string): void {
  try {
    mkdirSync(runDir, { recursive: true, mode: 0o700 });
    writeFileSync(`${runDir}/exit`, "...\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    const failure = asSpawnError(error, runDir);
    // A run that was started before keeps its folder.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) removeRunDir(runDir);
    throw failure;
  }
}

/** As well as it goes: the failure that led here is the one that counts. */
function removeRunDir(runDir: string): void {
  try {
    rmSync(runDir, { recursive: true, force: true });
  } catch {
    // With no file left to open an empty folder may stay.
  }
}

function start(request: SpawnRequest): ChildProcess {
  const { runDir, command, cwd, env } = request;
  const open: number[] = [];
  const keep = (fd: number): number => {
    open.push(fd);
    return fd;
  };
  try {
    const out = keep(openSync(`${runDir}/out.ndjson`, "a", 0o600));
    const err = keep(openSync(`${runDir}/err.log`, "a", 0o600));
    let input: number | "ignore" = "ignore";
    if (request.stdin !== null) {
      writeFileSync(`${runDir}/stdin`, request.stdin, { mode: 0o600 });
      input = keep(openSync(`${runDir}/stdin`, "r"));
    }
    const words = ["-c", LINE, runDir, ...command];
    const child = spawn("/bin/sh", words, { detached: true, stdio: [input, out, err], env, cwd });
    child.unref();
    return child;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

async function spawned(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

/** A process without a name could not be found again, so it must not go on. */
function unseen(pid: number | undefined): RunnerError {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
  return new RunnerError("spawn_failed", "The agent's process could not be seen after its start, so it was ended.");
}

function missingProgram(name: string, path: string): RunnerError {
  const where = name.includes("/") ? "It does not exist or may not be run" : `It is in no folder of PATH (${path})`;
  const text = `The agent's program "${name}" was not found. ${where}. Install it, or set its full path. Nothing was started; the worktree is kept.`;
  return new RunnerError("spawn_failed", text);
}

function asSpawnError(error: unknown, program: string): RunnerError {
  if (error instanceof RunnerError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    const text = "The disk is full, so the agent was not started. Free some space and start again.";
    return new RunnerError("disk_full", text, { cause: error });
  }
  const why: Readonly<Record<string, string>> = {
    EEXIST: "this run was started before",
    E2BIG: "its arguments are longer than the system allows",
    EAGAIN: "the system allows no more processes (see ulimit -u)",
    EMFILE: "too many files are open (see ulimit -n)",
    ENFILE: "too many files are open on this machine",
  };
  const text = `The agent (${program}) could not be started: ${why[code] ?? String(error)}. Nothing was started; the worktree is kept.`;
  return new RunnerError("spawn_failed", text, { cause: error });
}
