import { notSignedIn } from "../account/account-error.ts";
import { tellSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";

/** `codehands sync now`: exchanges at once. Exit 7 when the cloud did not answer, 5 when a person has to act. */
export async function syncNow(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const view = await client.sync.now.mutate();
  if (view.state === "off") throw notSignedIn();
  await tellSync(cli, client, view);
  if (view.state === "stopped") return 5;
  return view.state === "retrying" ? 7 : 0;
}
