import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { askYes } from "../terminal/ask.ts";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

const WHAT_GOES =
  "This device forgets its keys and everything that came from other devices. What was made here stays.\n" +
  "To come back it must be let in by another device, or needs the recovery code.";

/** `codehands logout`: forgets the keys. `--all` ends the account's logins in browsers as well. */
export async function logout(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const { state } = await client.account.status.query();
  if (state !== "signed_out" && !cli.yes) {
    if (!cli.canAsk)
      throw usageError("Signing out forgets the keys of this device. To do it without being asked, add -y.");
    cli.output.note(WHAT_GOES);
    if (!(await askYes(cli, "Sign out?"))) {
      throw new CliError({ code: "declined", exitCode: 10, message: "Nothing was changed: you said no." });
    }
  }
  const answer = await client.account.logOut.mutate({ all: flags.on("all") });
  if (cli.json) {
    await cli.output.json(answer);
    return 0;
  }
  if (cli.quiet) return 0;
  const { stdout } = cli.output.facts;
  const first = state === "signed_out" ? "This device was not signed in." : "Signed out.";
  const lines = [`${iconsFor(stdout).ok} ${first}`, ...answer.notes.map((note) => `  ${stripToLine(note)}`)];
  await cli.output.data(`${lines.join("\n")}\n`);
  return 0;
}
