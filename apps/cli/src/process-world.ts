import { daemonSpawner } from "./connect/spawn-daemon.ts";
import type { ExitCode } from "./exit-code.ts";
import type { CliWorld } from "./run-cli.ts";

/** The world of this process, for `runCli`: its streams, its signals, the daemon that is installed beside it. */
export function processWorld(words: readonly string[]): CliWorld {
  return {
    words,
    platform: process.platform,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    spawnDaemon: daemonSpawner(),
    onInterrupt(handle) {
      process.on("SIGINT", handle);
      return () => process.off("SIGINT", handle);
    },
  };
}

/** Ends the process once everything written has left: a pipe takes it later than we write it. */
export function endProcess(exitCode: ExitCode): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
}

/** Ends without a word when the reader of our output has gone, as `head` does. */
export function endWithReader(): void {
  const end = (error: NodeJS.ErrnoException): void => process.exit(error.code === "EPIPE" ? 0 : 1);
  process.stdout.on("error", end);
  process.stderr.on("error", end);
}
