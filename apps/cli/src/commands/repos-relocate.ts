import { resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { repoOf } from "../sessions/repo-folder.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands repos relocate`: tells where a repository that was moved lies now. */
export async function reposRelocate(cli: Cli, { args }: Call): Promise<ExitCode> {
  const [from = "", to = ""] = args.map((folder) => resolve(cli.cwd, folder));
  repoOf({ cwd: to, repo: null });
  const client = await cli.daemon.client();
  const answer = await client.repos.relocate.mutate({ from, to });
  if (!answer.ok) {
    throw new CliError({ code: "refused", exitCode: 5, message: answer.reason, hint: "codehands repos ls" });
  }
  if (cli.json) await cli.output.json(answer.repo);
  else await cli.output.data(cli.quiet ? `${answer.repo.key}\n` : `${stripToLine(`Moved: ${from} is now ${to}.`)}\n`);
  return 0;
}
