import { Readable } from "node:stream";
import type { Answer, World } from "../../conformance/check.mjs";
import { readConfig } from "../config.ts";
import { runHandover } from "./run-handover.ts";

/** Runs the command in this process, as the checkers run it as a program. */
export async function runHere(words: readonly string[], world: World): Promise<Answer> {
  const answer = { stdout: "", stderr: "" };
  const exit = await runHandover({
    words,
    cwd: world.cwd,
    config: readConfig(world.env ?? {}),
    stdin: Readable.from([Buffer.from(world.stdin)]),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    writeOut: (text) => {
      answer.stdout += text;
    },
    writeError: (text) => {
      answer.stderr += text;
    },
  });
  return { exit, ...answer };
}
