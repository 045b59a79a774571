import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderRepos } from "../render/repo-lines.ts";

/** `codehands repos ls`: the repositories that sessions ran in. */
export async function reposLs(cli: Cli): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const repos = await client.repos.list.query();
  if (cli.json) await cli.output.json({ repos });
  else if (cli.quiet) await cli.output.data(repos.map((repo) => `${repo.key}\n`).join(""));
  else if (repos.length === 0) cli.output.note("No repositories yet: a repository appears with its first session.");
  else await cli.output.data(renderRepos(repos, { facts: cli.output.facts.stdout, nowMs: cli.now() }));
  return 0;
}
