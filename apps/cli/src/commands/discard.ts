import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { patienceOf, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import { tellSession } from "../sessions/tell-session.ts";

/** `codehands discard`: gives a session up that is not for approval; its work goes to the trash. */
export async function discard(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const patience = patienceOf(flags);
  const { client, session } = await openSession(cli, args[0] ?? "");
  const name = await shortNameOf(client, session.id);
  const input = { commandId: cli.newCommandId(), sessionId: session.id, expects: [session.status] };
  const sent = await sendCommand(cli, { ...input, name }, (calls) => calls.sessions.discard.mutate(input));
  const answer = await settleCommand(cli, sent, { name, patience });
  if (answer.pending !== null) {
    return tellPending(cli, answer.pending, { sessionId: session.id, view: answer.session ?? session });
  }
  await tellSession(cli, answer.session ?? session, `Discarded ${name}. Its work is in the trash.`);
  return 0;
}
