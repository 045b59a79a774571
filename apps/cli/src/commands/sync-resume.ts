import { changeSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";

/** `codehands sync resume`: goes on after `sync pause`. */
export function syncResume(cli: Cli): Promise<ExitCode> {
  return changeSync(cli, (client) => client.sync.resume.mutate());
}
