import type { SyncView } from "@codehands/api";
import { changeSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";

export const IDENTITIES = ["new", "this"] as const;

/** `codehands sync identity`: after a home was copied, says which of the two copies this is. */
export async function syncIdentity(cli: Cli, { args }: Call): Promise<ExitCode> {
  const as = IDENTITIES.find((one) => one === args[0]);
  if (as === undefined) {
    const words = "new (this copy becomes a device of its own) or this (this is the device, the other is the copy)";
    throw usageError(`Say which one this is: ${words}, not '${args[0]}'.`);
  }
  const isRefused = ({ ask }: SyncView): boolean => ask === "copy";
  return changeSync(
    cli,
    (client) => client.sync.identity.mutate({ as }),
    (view) => (isRefused(view) ? 5 : 0),
  );
}
