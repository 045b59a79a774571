import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { repoOf } from "../sessions/repo-folder.ts";
import { tellTrust, withFolder } from "./repos-trust.ts";

/** `codehands repos untrust`: the settings of a repository do not count any more. */
export async function reposUntrust(cli: Cli, { args }: Call): Promise<ExitCode> {
  const path = repoOf(withFolder(cli, args[0]));
  const client = await cli.daemon.client();
  const state = await client.repos.untrust.mutate({ path });
  await tellTrust(cli, state, `Not trusted any more: the settings in ${path}.`);
  return 0;
}
