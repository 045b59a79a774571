import { notSignedIn } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { counted } from "../render/amounts.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands devices verify`: symbols that are equal on two devices when the cloud shows both the same. */
export async function devicesVerify(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const view = await client.devices.fingerprint.query();
  if (view === null) throw notSignedIn();
  if (cli.json) {
    await cli.output.json(view);
    return 0;
  }
  await cli.output.data(`${stripToLine(view.fingerprint)}\n`);
  if (cli.quiet) return 0;
  cli.output.note(
    `Run this on another device and compare. Equal: the cloud shows both the same ${counted(view.devices, "device")}.\n` +
      "Different although both have synced just now: do not approve anything, and do not let anything in.",
  );
  return 0;
}
