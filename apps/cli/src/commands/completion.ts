import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { ExitCode } from "../exit-code.ts";
import { ALL_COMMANDS, SHELLS } from "../program/all-commands.ts";
import type { Call } from "../program/command-spec.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `codehands completion`: a script that a shell reads at its start. */
export async function completion(cli: Cli, { args }: Call): Promise<ExitCode> {
  const shell = SHELLS.find((one) => one === args[0]);
  if (shell === undefined) throw usageError(`There is no completion for '${args[0]}', only for ${SHELLS.join(", ")}.`);
  await cli.output.data(SCRIPTS[shell](ALL_COMMANDS));
  return 0;
}
