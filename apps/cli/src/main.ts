#!/usr/bin/env node
/** The process: its words, streams and signals go in, its exit code comes out. */

const words = process.argv.slice(2);

// Programs ask for the version often and wait for it, so it costs no more than reading it.
if (words.length === 1 && (words[0] === "version" || words[0] === "--version")) {
  const { readVersion } = await import("./read-version.ts");
  process.stdout.write(`${readVersion()}\n`);
} else {
  const [{ runCli }, { endProcess, endWithReader, processWorld }] = await Promise.all([
    import("./run-cli.ts"),
    import("./process-world.ts"),
  ]);
  endWithReader();
  endProcess(await runCli(processWorld(words)));
}
