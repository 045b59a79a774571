import type { SentCommand } from "@codehands/api";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { sentWords, shortCommand } from "../render/sent-lines.ts";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands withdraw`: takes back a command that its device has not begun. */
export async function withdraw(cli: Cli, { args }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const { commandId, kind } = oneCommand(await client.sessions.sentCommands.query(), args[0] ?? "");
  const state = await client.sessions.withdraw.mutate({ commandId });
  if (state === null) throw unknown(args[0] ?? "");
  if (state.state !== "withdrawn") {
    const message = `It is too late to withdraw ${shortCommand(commandId)}: ${sentWords(state, cli.now())}.`;
    throw new CliError({ code: "illegal_move", exitCode: 5, message, hint: "codehands sync status" });
  }
  if (cli.json) await cli.output.json(state);
  else if (cli.quiet) await cli.output.data(`${commandId}\n`);
  else {
    const { ok } = iconsFor(cli.output.facts.stdout);
    await cli.output.data(`${ok} Withdrawn: ${stripToLine(kind)} will not run.\n`);
  }
  return 0;
}

/** The one command that a whole id, its beginning or its end means. Throws with exit code 3 or 2. */
export function oneCommand(commands: readonly SentCommand[], ref: string): SentCommand {
  const wanted = ref.trim().toLowerCase();
  const fits = commands.filter(
    ({ commandId }) =>
      commandId === wanted || (wanted.length >= 4 && (commandId.endsWith(wanted) || commandId.startsWith(wanted))),
  );
  const [found, ...more] = fits;
  if (found === undefined) throw unknown(ref);
  if (more.length === 0) return found;
  const message = `'${ref}' means ${fits.length} commands: ${fits.map((one) => shortCommand(one.commandId)).join(", ")}.`;
  throw new CliError({ code: "ambiguous", exitCode: 2, message, hint: "codehands sync status" });
}

function unknown(ref: string): CliError {
  const message = `There is no command '${ref}' among those that were sent from here in the last 7 days.`;
  return new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands sync status" });
}
