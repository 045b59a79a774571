import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import { toCliError } from "../connect/to-cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { type Patience, patienceOf, type Settled, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import { tellSession } from "../sessions/tell-session.ts";
import type { SessionView } from "../wire-types.ts";

/** `codehands stop`: ends an agent and every process it started; the work is kept. */
export async function stop(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const [ref] = args;
  if (flags.on("all") === (ref !== undefined)) throw usageError("Name one session, or use --all.");
  const now = flags.on("now");
  const patience = patienceOf(flags);
  if (ref === undefined) return stopAll(cli, await cli.daemon.client(), now);
  const { client, session } = await openSession(cli, ref);
  const { session: stopped, name, answer } = await stopOne(cli, client, { session, now, patience });
  if (answer.pending !== null) return tellPending(cli, answer.pending, { sessionId: stopped.id, view: stopped });
  await tellSession(cli, stopped, stopWords(stopped, name));
  return 0;
}

async function stopOne(
  cli: Cli,
  client: LocalClient,
  o: { session: SessionView; now: boolean; patience: Patience | null },
): Promise<{ session: SessionView; name: string; answer: Settled }> {
  const name = await shortNameOf(client, o.session.id);
  const input = { commandId: cli.newCommandId(), sessionId: o.session.id, ...(o.now && { now: true }) };
  const sent = await sendCommand(cli, { ...input, name }, (calls) => calls.sessions.stop.mutate(input));
  const answer = await settleCommand(cli, sent, { name, patience: o.patience });
  return { session: answer.session ?? o.session, name, answer };
}

/** Stops all of this device that run or wait for their turn. One that has ended meanwhile is told and does not keep the others. */
async function stopAll(cli: Cli, client: LocalClient, now: boolean): Promise<ExitCode> {
  const page = await client.sessions.list.query({ status: ["queued", "running"], limit: 500 });
  const stopped: SessionView[] = [];
  let exitCode: ExitCode = 0;
  const own = page.sessions.filter((session) => session.remote === undefined);
  for (const session of own) {
    try {
      const one = await stopOne(cli, client, { session, now, patience: null });
      stopped.push(one.session);
      if (!cli.json) await tellSession(cli, one.session, stopWords(one.session, one.name));
    } catch (error) {
      const failure = toCliError(error);
      cli.output.failure(failure, cli.json);
      exitCode = failure.exitCode;
    }
  }
  if (cli.json) await cli.output.json({ sessions: stopped, nextCursor: null });
  else if (own.length === 0) cli.output.note("No session of this device is queued or running.");
  return exitCode;
}

function stopWords(session: SessionView, name: string): string {
  return session.status === "failed" ? `Cancelled ${name} before it began.` : `Stopped ${name}. Its work is kept.`;
}
