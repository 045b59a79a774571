import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderHead, renderNext } from "../render/session-head.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import { followLive } from "../sessions/follow-live.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { patienceOf, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import { followMode } from "./run.ts";

/** `codehands resume`: lets a stopped agent go on, and follows it like `run`. */
export async function resume(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const [ref = "", prompt] = args;
  const mode = followMode(cli, flags);
  const patience = patienceOf(flags);
  const { client, session: before } = await openSession(cli, ref);
  const name = await shortNameOf(client, before.id);
  const budgetUsd = flags.number("budget");
  const input = {
    commandId: cli.newCommandId(),
    sessionId: before.id,
    expects: [before.status],
    ...(prompt !== undefined && { prompt }),
    ...(budgetUsd !== undefined && { budgetUsd }),
  };
  const sent = await sendCommand(cli, { ...input, name }, (calls) => calls.sessions.resume.mutate(input));
  const answer = await settleCommand(cli, sent, { name, patience });
  if (answer.pending !== null) {
    return tellPending(cli, answer.pending, { sessionId: before.id, view: answer.session ?? before });
  }
  const session = answer.session ?? before;
  const { stderr } = cli.output.facts;
  if (!cli.json && cli.quiet) await cli.output.data(`${session.id}\n`);
  if (!cli.json && !cli.quiet) cli.output.note(renderHead(session, stderr));
  if (mode !== null) {
    return followLive(cli, { client, session, name, mode, afterSeq: before.lastSeq, endedAtRev: before.rev });
  }
  if (cli.json) await cli.output.json(session);
  else if (!cli.quiet) cli.output.note(renderNext(session, name, stderr));
  return 0;
}
