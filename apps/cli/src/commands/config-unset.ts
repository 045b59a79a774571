import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { configValue } from "../render/config-lines.ts";
import { repoForSettings } from "./config-list.ts";

/** `codehands config unset`: removes a key from the person's config file, and says what counts now. */
export async function configUnset(cli: Cli, { args }: Call): Promise<ExitCode> {
  const [key = ""] = args;
  const client = await cli.daemon.client();
  const answer = await client.settings.unset.mutate({ key });
  if (!answer.ok) {
    throw new CliError({ code: "bad_config", exitCode: 2, message: answer.reason, hint: "codehands config list" });
  }
  const entry = await client.settings.get.query({ key, repoPath: repoForSettings(cli) });
  if (cli.json) await cli.output.json(entry);
  else
    await cli.output.data(
      cli.quiet ? `${key}\n` : `${key} = ${configValue(entry?.value)} (${entry?.origin ?? "unset"})\n`,
    );
  return 0;
}
