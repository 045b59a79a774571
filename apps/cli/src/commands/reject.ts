import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { patienceOf, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import { tellSession } from "../sessions/tell-session.ts";

/** `codehands reject`: says no to a change. Its branch goes, its work stays in the trash for a while. */
export async function reject(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const patience = patienceOf(flags);
  const { client, session } = await openSession(cli, args[0] ?? "");
  const name = await shortNameOf(client, session.id);
  const reason = flags.text("reason");
  const input = {
    commandId: cli.newCommandId(),
    sessionId: session.id,
    expects: [session.status],
    ...(reason !== undefined && { reason }),
  };
  const sent = await sendCommand(cli, { ...input, name }, (calls) => calls.sessions.reject.mutate(input));
  const answer = await settleCommand(cli, sent, { name, patience });
  if (answer.pending !== null) {
    return tellPending(cli, answer.pending, { sessionId: session.id, view: answer.session ?? session });
  }
  await tellSession(cli, answer.session ?? session, `Rejected ${name}. Its work is in the trash.`);
  return 0;
}
