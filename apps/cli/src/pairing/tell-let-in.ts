import type { Cli } from "../cli.ts";
import { iconsFor } from "../terminal/icons.ts";

/** Says to a person, or with `--quiet` to a program, that a device is a member now, and how to undo it. */
export async function tellLetIn(cli: Cli, device: { id: string | null; name: string }): Promise<void> {
  if (cli.quiet) return cli.output.data(`${device.id ?? device.name}\n`);
  const { ok } = iconsFor(cli.output.facts.stdout);
  await cli.output.data(`${ok} ${device.name} is let in: it reads the account's sessions from now on.\n`);
  cli.output.note(`To take that back:   codehands devices revoke ${device.id?.slice(0, 8) ?? device.name}`);
}
