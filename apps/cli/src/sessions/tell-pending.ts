import type { PendingCommand } from "@codehands/api";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { sentWords, shortCommand } from "../render/sent-lines.ts";
import { iconsFor } from "../terminal/icons.ts";

export interface PendingAbout {
  sessionId: string;
  /** What `--json` says beside the pending command. */
  view: Readonly<Record<string, unknown>>;
  /** In a pipe the session's id is the data, as `run` gives it. */
  idInPipe?: boolean;
}

/** Answers a command that another device has not answered yet: exit code 8. */
export async function tellPending(cli: Cli, pending: PendingCommand, about: PendingAbout): Promise<ExitCode> {
  if (cli.json) {
    await cli.output.json({ ...about.view, pending });
    return 8;
  }
  if (cli.quiet) {
    await cli.output.data(`${about.sessionId}\n`);
    return 8;
  }
  const { stdout, stderr } = cli.output.facts;
  const words = sentWords({ ...pending, reason: null }, cli.now());
  if (about.idInPipe === true && !stdout.tty) {
    await cli.output.data(`${about.sessionId}\n`);
    cli.output.note(`${iconsFor(stderr).queued} ${words}`);
  } else await cli.output.data(`${iconsFor(stdout).queued} ${words}\n`);
  const back = `codehands withdraw ${shortCommand(pending.commandId)}`;
  cli.output.note(`It is kept for 24 hours and runs when the device is back.   codehands sync status   ${back}`);
  return 8;
}
