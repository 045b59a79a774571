import { accountError } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { letIn } from "../pairing/let-in.ts";
import { sixDigits } from "../pairing/six-digits.ts";
import type { Call } from "../program/command-spec.ts";
import { iconsFor } from "../terminal/icons.ts";

export const ROLES = ["admin", "command", "run"] as const;

/** `codehands pair approve`: lets a device in that shows this code. */
export async function pairApprove(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const given = flags.text("digits");
  const digits = given === undefined ? null : sixDigits(given);
  if (given !== undefined && digits === null)
    throw usageError("--digits takes the six digits that the new device shows.");
  if (digits === null && !cli.canAsk) {
    throw usageError("There is nobody to ask for the digits that the new device shows. Add --digits NNNNNN.");
  }
  const client = await cli.daemon.client();
  const found = await client.pair.lookUp.mutate({ code: args[0] ?? "" });
  if (!found.ok) throw accountError(found);
  const roles = ROLES.filter((role) => flags.list("roles").includes(role));
  const device = await letIn(cli, client, { found, digits, roles });
  if (cli.json) await cli.output.json({ device });
  else if (cli.quiet) await cli.output.data(`${device.id ?? device.name}\n`);
  else {
    const { ok } = iconsFor(cli.output.facts.stdout);
    await cli.output.data(`${ok} ${device.name} is let in: it reads the account's sessions from now on.\n`);
    cli.output.note(`To take that back:   codehands devices revoke ${device.id?.slice(0, 8) ?? device.name}`);
  }
  return 0;
}
