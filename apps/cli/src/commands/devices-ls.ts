import { listDevices } from "../account/list-devices.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderDevices } from "../render/device-table.ts";

/** `codehands devices ls`: the devices of the account, this one first, removed ones last. */
export async function devicesLs(cli: Cli): Promise<ExitCode> {
  const devices = await listDevices(await cli.daemon.client());
  if (cli.json) await cli.output.json({ devices });
  else if (cli.quiet) await cli.output.data(devices.map((device) => `${device.id}\n`).join(""));
  else await cli.output.data(renderDevices(devices, { facts: cli.output.facts.stdout, nowMs: cli.now() }));
  return 0;
}
