#!/usr/bin/env node
/**
 * Every command with good and with bad input: exit code, stdout, stderr. It runs as a test in its own process, and as a
 * plain program against any command: `node test/cli-table.mjs PROGRAM [ARGUMENT…]`, with absolute paths.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FILES } from "./cli-files.mjs";
import { FROM_ROWS } from "./cli-rows-from.mjs";
import { PACK_ROWS } from "./cli-rows-pack.mjs";
import { READ_ROWS } from "./cli-rows-read.mjs";

/** `stdout` and `stderr` are exact texts or forms; empty when they are not given. `file` is what was written, by name. */
export const ROWS = [...PACK_ROWS, ...READ_ROWS, ...FROM_ROWS];

/** Runs every row in a folder of its own and returns what was not as it stands there. */
export async function runTable(run) {
  const problems = [];
  for (const row of ROWS) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "handover-table-")));
    try {
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
      mkdirSync(join(folder, "env"));
      const answer = await run(row.words, { cwd: folder, env: row.env ?? {}, stdin: row.stdin ?? "" });
      const say = (what, found, wanted) =>
        problems.push(
          `${row.name}: ${what} is ${JSON.stringify(found)}, not ${wanted instanceof RegExp ? wanted : JSON.stringify(wanted)}`,
        );
      if (answer.exit !== row.exit) say("exit", answer.exit, row.exit);
      for (const stream of ["stdout", "stderr"]) {
        const found = answer[stream].replaceAll(folder, "{folder}");
        const wanted = row[stream] ?? "";
        if (wanted instanceof RegExp ? !wanted.test(found) : found !== wanted) say(stream, found, wanted);
      }
      for (const [name, wanted] of Object.entries(row.file ?? {})) {
        const found = readFileSync(join(folder, name), "utf8");
        if (found !== wanted) say(name, found, wanted);
      }
    } catch (error) {
      problems.push(`${row.name}: ${error.message}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return problems;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [program, ...args] = process.argv.slice(2);
  const problems = await runTable((words, { cwd, env, stdin }) => {
    // With an absolute path nothing of this environment is needed, so none of it takes part.
    const done = spawnSync(program, [...args, ...words], {
      cwd,
      env,
      input: stdin,
      encoding: "utf8",
    });
    return { exit: done.status ?? -1, stdout: done.stdout ?? "", stderr: done.stderr ?? "" };
  });
  for (const problem of problems) process.stdout.write(`not ok ${problem}\n`);
  process.stdout.write(`${ROWS.length - problems.length} passed, ${problems.length} failed\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
