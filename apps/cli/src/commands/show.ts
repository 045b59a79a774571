import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderSessionPage } from "../render/session-page.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";

const LAST_EVENTS = 12;

/** `codehands show`: everything about one session on a page. */
export async function show(cli: Cli, { args }: Call): Promise<ExitCode> {
  const { client, session } = await openSession(cli, args[0] ?? "");
  if (cli.json) {
    await cli.output.json(session);
    return 0;
  }
  if (cli.quiet) {
    await cli.output.data(`${session.id}\n`);
    return 0;
  }
  const [name, page] = await Promise.all([
    shortNameOf(client, session.id),
    client.sessions.events.query({ sessionId: session.id, newest: true, limit: LAST_EVENTS }),
  ]);
  const o = { facts: cli.output.facts.stdout, nowMs: cli.now(), name, events: page.events };
  await cli.output.data(renderSessionPage(session, o));
  return 0;
}
