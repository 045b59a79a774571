import { accountError } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands devices rename`: gives this device another name. */
export async function devicesRename(cli: Cli, { args }: Call): Promise<ExitCode> {
  const name = args.join(" ");
  const client = await cli.daemon.client();
  const answer = await client.devices.rename.mutate({ name });
  if (!answer.ok) throw accountError(answer);
  const own = answer.devices.find((device) => device.current);
  if (cli.json) await cli.output.json({ devices: answer.devices });
  else if (cli.quiet) await cli.output.data(`${own?.id ?? ""}\n`);
  else {
    const { ok } = iconsFor(cli.output.facts.stdout);
    await cli.output.data(`${ok} This device is called ${stripToLine(own?.name ?? name)} now.\n`);
  }
  return 0;
}
