import { tellSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";

/** `codehands sync status`: how old the last exchange is, what is still to be sent, what was refused; signed in or not. */
export async function syncStatus(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  await tellSync(cli, client, await client.sync.status.query());
  return 0;
}
