import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hostLinux } from "./host-linux.ts";
import type { ProcessName } from "./process-types.ts";
import { runProcesses } from "./run-processes.ts";
import { spawnAgent } from "./spawn-agent.ts";

/** A temporary place for runs whose processes and files are gone after `clean`. */
export interface RunFolder {
  root: string;
  worktree: string;
  newRun(): { runId: string; runDir: string };
  /** Starts a shell script as the agent. */
  start(script: string, options?: { stdin?: string; env?: Record<string, string> }): Promise<StartedRun>;
  clean(): void;
}

export interface StartedRun {
  runId: string;
  runDir: string;
  process: ProcessName;
}

export function openRunFolder(): RunFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codehands-run-")));
  const worktree = join(root, "worktree");
  mkdirSync(worktree);
  const started: string[] = [];
  const newRun = (): { runId: string; runDir: string } => {
    const runId = randomUUID();
    started.push(runId);
    return { runId, runDir: join(root, "runs", runId) };
  };
  return {
    root,
    worktree,
    newRun,
    start: async (script, options = {}) => {
      const { runId, runDir } = newRun();
      const env = { PATH: process.env["PATH"] ?? "", ...options.env, CODEHANDS_RUN_ID: runId };
      const command = ["sh", "-c", script];
      const name = await spawnAgent({ runId, runDir, command, cwd: worktree, env, stdin: options.stdin ?? null });
      return { runId, runDir, process: name };
    },
    clean: () => {
      for (const runId of started) {
        for (const { pid } of runProcesses({ process: null, runId })) endQuietly(pid);
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Polls until the value is neither null nor false; fails after 60 s. */
export async function until<T>(what: string, look: () => T | null | false): Promise<T> {
  for (const began = performance.now(); performance.now() - began < 60_000; await delay(10)) {
    const value = look();
    if (value !== null && value !== false) return value;
  }
  throw new Error(`waited 60 s for ${what}`);
}

/** Text of a file, or null while it is not there or empty. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8") || null;
  } catch {
    return null;
  }
}

/** The number a fixture wrote into a file of the worktree. */
export const pidIn = (path: string): Promise<number> =>
  until(path, () => (/^\d+\n$/.test(textOf(path) ?? "") ? Number(textOf(path)) : null));

/** True while the process lives (a zombie does not). */
export function lives(pid: number): boolean {
  const facts = hostLinux.look(pid);
  return facts !== null && facts.state !== "Z" && facts.state !== "X";
}

/** Ends a process; one that has ended meanwhile is what was wanted. */
function endQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
