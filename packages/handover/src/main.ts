#!/usr/bin/env node
/** The process: its words, streams and environment go in, its exit code comes out. */
import { runHandover } from "./command/run-handover.ts";
import { readConfig } from "./config.ts";

// The reader of our output may have gone, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runHandover({
  words: process.argv.slice(2),
  cwd: process.cwd(),
  config: readConfig(),
  stdin: process.stdin,
  now: Date.now,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
