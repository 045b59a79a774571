import type { SyncView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderSync } from "../render/sync-lines.ts";
import { notSignedIn } from "./account-error.ts";

type Change = (client: LocalClient) => Promise<SyncView>;

/** Answers every `sync` command: the state with what was sent to other devices, or one word with `-q`. */
export async function tellSync(cli: Cli, client: LocalClient, view: SyncView): Promise<void> {
  const commands = await client.sessions.sentCommands.query();
  if (cli.json) return cli.output.json({ ...view, commands });
  if (cli.quiet) return cli.output.data(`${view.state}\n`);
  await cli.output.data(renderSync(view, { commands, facts: cli.output.facts.stdout, nowMs: cli.now() }));
}

/**
 * Changes something about the sync and tells how it stands then. Throws with exit code 4 where nothing syncs; `exitOf`
 * says what the state means, 0 when absent.
 */
export async function changeSync(
  cli: Cli,
  change: Change,
  exitOf: (view: SyncView) => ExitCode = () => 0,
): Promise<ExitCode> {
  const client = await cli.daemon.client();
  if ((await client.sync.status.query()).state === "off") throw notSignedIn();
  const view = await change(client);
  await tellSync(cli, client, view);
  return exitOf(view);
}
