import type { Cli } from "../cli.ts";
import { ENVIRONMENT_HELP } from "../config.ts";
import { EXIT_CODES, type ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderHelp } from "../program/render-help.ts";
import { renderPairs, SECURITY_HELP } from "../render/help-topics.ts";

/** `codehands help`: of a command, or one of the topics. */
export async function help(cli: Cli, { args }: Call): Promise<ExitCode> {
  await cli.output.data(helpText(args, cli.output.facts.stdout.width ?? 100));
  return 0;
}

function helpText(words: readonly string[], width: number): string {
  switch (words.join(" ")) {
    case "exit-codes":
      return renderPairs("Exit codes", exitCodePairs());
    case "environment":
      return renderPairs("Environment variables", ENVIRONMENT_HELP);
    case "security":
      return SECURITY_HELP;
    default:
      return renderHelp(words, width);
  }
}

function exitCodePairs(): [string, string][] {
  return Object.entries(EXIT_CODES).map(([code, words]) => [code, words]);
}
