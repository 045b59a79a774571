#!/usr/bin/env node
/** The process: its words, streams and signals go in, its exit code comes out. */
import type { ExitCode } from "./exit-code.ts";

const words = process.argv.slice(2);

process.stdout.on("error", endQuietly);
process.stderr.on("error", endQuietly);

if (words.length === 1 && (words[0] === "version" || words[0] === "--version")) {
  const { readVersion } = await import("./read-version.ts");
  process.stdout.write(`${readVersion()}\n`);
} else {
  const [{ runCli }, { daemonSpawner }] = await Promise.all([
    import("./run-cli.ts"),
    import("./connect/spawn-daemon.ts"),
  ]);
  const exitCode = await runCli({
    words,
    platform: process.platform,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    spawnDaemon: daemonSpawner(),
    onInterrupt,
  });
  end(exitCode);
}

/** Ends once everything written has left: a pipe takes it later than we write it. */
function end(exitCode: ExitCode): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
}

/** The reader has gone, as `head` does: there is nobody left to tell anything. */
function endQuietly(error: NodeJS.ErrnoException): void {
  process.exit(error.code === "EPIPE" ? 0 : 1);
}

function onInterrupt(handle: () => void): () => void {
  process.on("SIGINT", handle);
  return () => process.off("SIGINT", handle);
}
