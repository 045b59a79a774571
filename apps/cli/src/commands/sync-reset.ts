import { changeSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";

/** `codehands sync reset`: asks the cloud for everything again; nothing that is held here is lost. */
export function syncReset(cli: Cli): Promise<ExitCode> {
  return changeSync(cli, (client) => client.sync.reset.mutate());
}
