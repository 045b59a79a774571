import { type ChildProcess, spawn } from "node:child_process";

export interface CommandEnd {
  /** Null when the program could not be started. */
  exitCode: number | null;
  output: string;
}

export interface RunningCommand {
  ended: Promise<CommandEnd>;
  /** Ends the command and everything it started. */
  kill(): void;
}

/** Runs a program in a process group of its own; both of its outputs come back as one text. */
export function runCommand(words: readonly [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv): RunningCommand {
  const [program, ...args] = words;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const text = () => Buffer.concat(chunks).toString("utf8").trim();
  const ended = new Promise<CommandEnd>((done) => {
    child.once("error", (error) => done({ exitCode: null, output: error.message }));
    child.once("close", (code, signal) => done({ exitCode: code ?? (signal === null ? 1 : 137), output: text() }));
  });
  return { ended, kill: () => killGroup(child) };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended in this very moment.
  }
}
