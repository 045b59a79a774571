import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderAccount } from "../render/account-lines.ts";

/** `codehands whoami`: the account of this device. Exit 0 when it is a member and syncs, 4 when a person has to act. */
export async function whoami(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const account = await client.account.status.query();
  const { devices } = account.state === "active" ? await client.devices.list.query() : { devices: [] };
  const deviceName = devices.find((device) => device.current)?.name ?? null;
  if (cli.json) await cli.output.json({ ...account, deviceName });
  else if (cli.quiet) await cli.output.data(account.email === null ? "" : `${account.email}\n`);
  else await cli.output.data(`${renderAccount(account, deviceName, cli.output.facts.stdout)}\n`);
  return account.state === "active" ? 0 : 4;
}
