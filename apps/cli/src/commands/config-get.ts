import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { configValue } from "../render/config-lines.ts";
import { repoForSettings } from "./config-list.ts";

/** `codehands config get`: one value, and with `--show-origin` where it comes from. */
export async function configGet(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const [key = ""] = args;
  const client = await cli.daemon.client();
  const entry = await client.settings.get.query({ key, repoPath: repoForSettings(cli) });
  if (entry === null) {
    const message = `There is no setting '${key}'.`;
    throw new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands config list" });
  }
  if (cli.json) await cli.output.json(entry);
  else await cli.output.data(`${configValue(entry.value)}${flags.on("showOrigin") ? `\t${entry.origin}` : ""}\n`);
  return 0;
}
