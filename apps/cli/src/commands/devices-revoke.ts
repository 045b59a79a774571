import { accountError } from "../account/account-error.ts";
import { oneDevice } from "../account/find-device.ts";
import { listDevices } from "../account/list-devices.ts";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { askYes } from "../terminal/ask.ts";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands devices revoke`: removes another device from the account, for good, with a new key. */
export async function devicesRevoke(cli: Cli, { args }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const device = oneDevice(await listDevices(client), args[0] ?? "");
  const name = `${stripToLine(device.name) || "(no name)"} (${stripToLine(device.platform)}, ${device.id.slice(0, 8)})`;
  if (device.current) {
    throw new CliError({
      code: "own_device",
      exitCode: 5,
      message: `${name} is this device. It leaves the account by signing out.`,
      hint: "codehands logout",
    });
  }
  if (!cli.yes) {
    if (!cli.canAsk) throw usageError(`Removing ${name} cannot be taken back. To do it without being asked, add -y.`);
    cli.output.note("It will read nothing that is written from now on. What it has already, it keeps.");
    if (!(await askYes(cli, `Remove ${name} from the account for good?`))) {
      throw new CliError({ code: "declined", exitCode: 10, message: "Nothing was removed: you said no." });
    }
  }
  const answer = await client.devices.revoke.mutate({ deviceId: device.id });
  if (!answer.ok) throw accountError(answer);
  if (cli.json) await cli.output.json({ devices: answer.devices });
  else if (cli.quiet) await cli.output.data(`${device.id}\n`);
  else await cli.output.data(`${iconsFor(cli.output.facts.stdout).ok} Removed ${name}. A new key is in use.\n`);
  return 0;
}
