import { notSignedIn } from "../account/account-error.ts";
import { tellSync } from "../account/tell-sync.ts";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { suspicionLines } from "../render/sync-lines.ts";
import { askYes } from "../terminal/ask.ts";

/** `codehands sync acknowledge`: a person has looked at what does not fit; commands of other devices are obeyed again. */
export async function syncAcknowledge(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const before = await client.sync.status.query();
  if (before.state === "off") throw notSignedIn();
  if (before.suspicions.length > 0 && !cli.yes) {
    if (!cli.canAsk)
      throw usageError("A person has to look first: codehands sync status. To go on without being asked, add -y.");
    cli.output.note(suspicionLines(before, cli.output.facts.stderr).join("\n"));
    if (!(await askYes(cli, "Have you compared `codehands devices verify` on two devices, and go on?"))) {
      const message = "Nothing was changed: commands of other devices still wait.";
      throw new CliError({ code: "declined", exitCode: 10, message, hint: "codehands devices verify" });
    }
  }
  await tellSync(cli, client, await client.sync.acknowledge.mutate());
  return 0;
}
