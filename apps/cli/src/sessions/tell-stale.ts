import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { ago } from "../render/times.ts";
import { iconsFor } from "../terminal/icons.ts";
import type { SessionView } from "../wire-types.ts";

const WHY = {
  retrying: "the cloud does not answer",
  paused: "the sync is paused",
  stopped: "the sync is stopped, you have to act",
} as const;

/** Says on stderr how old a list is in which sessions of other devices stand, when nothing new can come. */
export async function tellStale(cli: Cli, client: LocalClient, sessions: readonly SessionView[]): Promise<void> {
  if (cli.json || cli.quiet || sessions.every((session) => session.remote === undefined)) return;
  const { state, lastRoundTripAt } = await client.sync.status.query();
  if (state !== "retrying" && state !== "paused" && state !== "stopped") return;
  const when = lastRoundTripAt === null ? "an unknown time" : ago(cli.now(), lastRoundTripAt);
  const { warn } = iconsFor(cli.output.facts.stderr);
  cli.output.note(`${warn} What stands of other devices is from ${when}: ${WHY[state]}.   codehands sync status`);
}
