import type { Cli } from "../cli.ts";
import { statusIcon } from "../render/status.ts";
import type { SessionView } from "../wire-types.ts";

/** Answers a command about one session: the session as JSON, its id, or a sentence. */
export async function tellSession(cli: Cli, session: SessionView, sentence: string): Promise<void> {
  if (cli.json) return cli.output.json(session);
  if (cli.quiet) return cli.output.data(`${session.id}\n`);
  await cli.output.data(`${statusIcon(session.status, cli.output.facts.stdout)} ${sentence}\n`);
}
