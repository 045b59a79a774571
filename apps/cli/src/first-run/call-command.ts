import type { EnvironmentVariables } from "../config.ts";
import { type CliWorld, runCli } from "../run-cli.ts";
import type { TextSink } from "../terminal/output.ts";

/**
 * Runs one command line as a person would and keeps what it answers; what it tells on the way goes to
 * stderr as ever. Throws when it ends with another exit code than 0.
 */
export async function callCommand(
  world: CliWorld,
  words: readonly string[],
  variables: EnvironmentVariables,
): Promise<string> {
  const kept: string[] = [];
  const stdout: TextSink = {
    write(text, done) {
      kept.push(text);
      done?.();
      return true;
    },
  };
  const exitCode = await runCli({ ...world, words, variables, stdout });
  if (exitCode !== 0) throw new Error(`codehands ${words.join(" ")} ended with exit code ${exitCode}.`);
  return kept.join("");
}
