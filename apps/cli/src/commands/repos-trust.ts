import { resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderRepoSettings } from "../render/repo-lines.ts";
import { repoOf } from "../sessions/repo-folder.ts";
import { askYes } from "../terminal/ask.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { RepoTrust } from "../wire-types.ts";

/** `codehands repos trust`: shows what a repository's settings ask for and, after a yes, lets exactly these count. */
export async function reposTrust(cli: Cli, { args }: Call): Promise<ExitCode> {
  const path = repoOf(withFolder(cli, args[0]));
  const client = await cli.daemon.client();
  const state = await client.repos.trustState.query({ path });
  if (state.hash === null || state.settings === null) {
    const message = `${path} brings no settings file, so there is nothing to trust.`;
    throw new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands repos ls" });
  }
  if (!cli.json) cli.output.note(renderRepoSettings(state));
  if (!cli.yes && !cli.canAsk) throw usageError("To trust these settings without being asked, add -y.");
  if (!cli.yes && !(await askYes(cli, "Let these settings count, as they are now?"))) {
    throw new CliError({ code: "declined", exitCode: 10, message: "Nothing was trusted: you said no." });
  }
  const answer = await client.repos.trust.mutate({ path, hash: state.hash });
  if (!answer.ok) {
    const message = "The settings changed while you looked at them. Nothing was trusted.";
    throw new CliError({ code: "stale_tree", exitCode: 5, message, hint: "codehands repos trust" });
  }
  await tellTrust(cli, answer.state, `Trusted: the settings in ${path}, until they change.`);
  return 0;
}

/** The command as if it had been called with `-C` for its folder argument. */
export function withFolder(cli: Cli, folder: string | undefined): Pick<Cli, "repo" | "cwd"> {
  return { cwd: cli.cwd, repo: folder === undefined ? cli.repo : resolve(cli.cwd, folder) };
}

/** Answers with the repository's trust: JSON, its key, or a sentence. */
export async function tellTrust(cli: Cli, state: RepoTrust, sentence: string): Promise<void> {
  if (cli.json) return cli.output.json(state);
  await cli.output.data(cli.quiet ? `${state.key}\n` : `${stripToLine(sentence)}\n`);
}
