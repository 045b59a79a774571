import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { type ExitCode, exitOfSession } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { statusIcon, statusWord } from "../render/status.ts";
import { findSession } from "../sessions/find-session.ts";
import { findAgain } from "../sessions/follow-live.ts";
import { followSession } from "../sessions/follow-session.ts";
import { askTwice } from "../sessions/send-command.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { SessionView } from "../wire-types.ts";

/** `codehands wait`: until all sessions, or the first of them, have ended. The first bad ending gives the exit code. */
export async function wait(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const { client, sessions } = await askTwice(cli, async (calls) => ({
    client: calls,
    sessions: await findAll(calls, args),
  }));
  const seconds = flags.number("timeout");
  const leaving = new AbortController();
  const timer = seconds === undefined ? undefined : setTimeout(() => leaving.abort(), seconds * 1000);
  try {
    const following = sessions.map((session) => followOne(cli, client, { session, signal: leaving.signal }));
    const ended = flags.on("any") ? [await Promise.race(following)] : await Promise.all(following);
    const done = ended.filter((session) => session !== null);
    if (done.length < ended.length) throw notFinished(sessions, seconds ?? 0);
    await tell(cli, done);
    return done.map(exitOfSession).find((code) => code !== 0) ?? 0;
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
}

async function findAll(client: LocalClient, refs: readonly string[]): Promise<SessionView[]> {
  const found = await Promise.all(refs.map((ref) => findSession(client, ref)));
  return [...new Map(found.map((session) => [session.id, session])).values()];
}

function followOne(
  cli: Cli,
  client: LocalClient,
  o: { session: SessionView; signal: AbortSignal },
): Promise<SessionView | null> {
  const { id, lastSeq } = o.session;
  return followSession({ client, sessionId: id, afterSeq: lastSeq, signal: o.signal, findAgain: () => findAgain(cli) });
}

async function tell(cli: Cli, sessions: SessionView[]): Promise<void> {
  if (cli.json) return cli.output.json({ sessions, nextCursor: null });
  const facts = cli.output.facts.stdout;
  const line = (session: SessionView): string =>
    `${statusIcon(session.status, facts)} ${session.shortId}  ${statusWord(session.status)}  ${stripToLine(session.title)}\n`;
  await cli.output.data(sessions.map((session) => (cli.quiet ? `${session.id}\n` : line(session))).join(""));
}

function notFinished(sessions: SessionView[], seconds: number): CliError {
  const names = sessions.map((session) => session.shortId);
  const verb = names.length === 1 ? "has" : "have";
  const message = `After ${seconds} s ${names.join(", ")} ${verb} not finished. Nothing was stopped.`;
  return new CliError({ code: "not_finished", exitCode: 8, message, hint: `codehands wait ${names.join(" ")}` });
}
