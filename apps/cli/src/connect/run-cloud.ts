import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface CloudCall {
  /** The words that the cloud's program takes. */
  words: readonly string[];
  cwd: string;
  environment: Record<string, string>;
}

/**
 * Runs the installed cloud in the foreground with our own streams, and gives its exit code; null when a signal ended it.
 * A Ctrl-C reaches it by the terminal; the other wishes to end are handed on. When this process dies without a word,
 * the channel between them ends, and the cloud ends itself in order.
 */
export function runCloud({ words, cwd, environment }: CloudCall): Promise<number | null> {
  const program = fileURLToPath(import.meta.resolve("@codehands/cloud"));
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: environment,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const handOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGTERM", handOn).on("SIGHUP", handOn);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}
