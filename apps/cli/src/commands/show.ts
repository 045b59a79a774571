import type { SentCommand } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderSessionPage } from "../render/session-page.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import type { SessionView } from "../wire-types.ts";

const LAST_EVENTS = 12;
const LAST_COMMANDS = 5;

/** `codehands show`: everything about one session on a page; of another device's also the commands sent to it. */
export async function show(cli: Cli, { args }: Call): Promise<ExitCode> {
  const { client, session } = await openSession(cli, args[0] ?? "");
  if (cli.json) {
    const commands = await sentTo(client, session);
    await cli.output.json(commands === null ? session : { ...session, commands });
    return 0;
  }
  if (cli.quiet) {
    await cli.output.data(`${session.id}\n`);
    return 0;
  }
  const [name, page, commands] = await Promise.all([
    shortNameOf(client, session.id),
    client.sessions.events.query({ sessionId: session.id, newest: true, limit: LAST_EVENTS }),
    sentTo(client, session),
  ]);
  const o = { facts: cli.output.facts.stdout, nowMs: cli.now(), name, events: page.events, commands: commands ?? [] };
  await cli.output.data(renderSessionPage(session, o));
  return 0;
}

/** What was sent to a session of another device; null for a session of this one. */
async function sentTo(client: LocalClient, session: SessionView): Promise<SentCommand[] | null> {
  if (session.remote === undefined) return null;
  const all = await client.sessions.sentCommands.query();
  return all.filter(({ sessionId }) => sessionId === session.id).slice(0, LAST_COMMANDS);
}
