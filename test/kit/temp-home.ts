import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DaemonFile } from "@codehands/contracts";
import { execa, type Options } from "execa";

const MAIN = new URL("../../apps/cli/dist/main.js", import.meta.url).pathname;

export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A person's machine in a temporary folder: a home, a place for repositories, the built command. */
export interface TempHome {
  root: string;
  home: string;
  env: Record<string, string>;
  /** Runs the built `codehands`; never throws on an exit code. */
  cli(args: string[], options?: { cwd?: string; env?: Record<string, string>; input?: string }): Promise<CliResult>;
  /** Starts it without waiting. */
  spawnCli(args: string[], options?: Options): ReturnType<typeof execa>;
  daemon(): DaemonFile | null;
  /** Kills the daemon the hard way and waits until it is gone. */
  killDaemon(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens a temporary home. `env` is added to a small neutral environment. */
export function openTempHome(env: Record<string, string> = {}): TempHome {
  const root = mkdtempSync(join(tmpdir(), "codehands-flow-"));
  const home = join(root, "home");
  const own: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    LANG: "C.UTF-8",
    TMPDIR: tmpdir(),
    CODEHANDS_HOME: home,
    ...env,
  };
  const daemon = (): DaemonFile | null => {
    try {
      return JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonFile;
    } catch {
      return null;
    }
  };
  const spawnCli = (args: string[], options: Options = {}) =>
    execa(process.execPath, [MAIN, ...args], {
      cwd: root,
      extendEnv: false,
      reject: false,
      // A cloud that ends in order may take longer than execa's five seconds.
      forceKillAfterDelay: false,
      ...options,
      env: { ...own, ...options.env },
    });
  const killDaemon = async () => {
    const file = daemon();
    if (file === null) return;
    try {
      process.kill(file.pid, "SIGKILL");
    } catch {
      return;
    }
    await until(() => !isAlive(file.pid));
  };
  return {
    root,
    home,
    env: own,
    daemon,
    killDaemon,
    spawnCli,
    async cli(args, options = {}) {
      const done = await spawnCli(args, {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? {},
        input: options.input ?? "",
        stripFinalNewline: false,
      });
      return { exitCode: done.exitCode ?? -1, stdout: String(done.stdout), stderr: String(done.stderr) };
    },
    async remove() {
      await killDaemon();
      // A git of the killed daemon may still write.
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** True while a process with this pid runs (a zombie does not). */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until the condition holds; fails after `seconds`. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`did not become true within ${seconds} s: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
