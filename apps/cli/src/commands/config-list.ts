import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderConfig } from "../render/config-lines.ts";
import { repoAround, repoOf } from "../sessions/repo-folder.ts";

/** `codehands config list`: all settings that count here. */
export async function configList(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const settings = await client.settings.list.query({ repoPath: repoForSettings(cli) });
  if (cli.json) await cli.output.json({ settings });
  else if (cli.quiet) await cli.output.data(settings.map((entry) => `${entry.key}\n`).join(""));
  else
    await cli.output.data(renderConfig(settings, { facts: cli.output.facts.stdout, origin: flags.on("showOrigin") }));
  return 0;
}

/** The repository whose settings count as well; null outside of one. */
export function repoForSettings(cli: Pick<Cli, "repo" | "cwd">): string | null {
  return cli.repo === null ? repoAround(cli.cwd) : repoOf(cli);
}
