import { changeSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";

/** `codehands sync pause`: exchanges nothing until `sync resume`. */
export function syncPause(cli: Cli): Promise<ExitCode> {
  return changeSync(cli, (client) => client.sync.pause.mutate());
}
