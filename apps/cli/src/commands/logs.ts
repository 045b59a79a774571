import type { EventView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { openSession } from "../sessions/find-session.ts";
import { findAgain } from "../sessions/follow-live.ts";
import { followSession } from "../sessions/follow-session.ts";
import { LiveLines } from "../sessions/live-lines.ts";
import { readEvents } from "../sessions/read-events.ts";
import { harmlessJson } from "../terminal/harmless-json.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { SessionView } from "../wire-types.ts";

function rawStaysThere(session: SessionView): CliError {
  const name = stripToLine(session.device.name) || "the device that it ran on";
  const message = `The agent's own lines stay on ${name}; they are never sent. The events are here without --raw.`;
  return new CliError({ code: "not_found", exitCode: 3, message, hint: `codehands logs ${session.shortId}` });
}

interface Drawer {
  take(event: EventView): Promise<void> | void;
  end(): void;
}

/** `codehands logs`: the stored events, and with `-f` those to come until the session has ended. */
export async function logs(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const { client, session } = await openSession(cli, args[0] ?? "");
  const types = flags.list("type");
  const raw = flags.on("raw");
  if (raw && session.remote !== undefined) throw rawStaysThere(session);
  const drawer = raw ? rawDrawer(cli, client) : drawerFor(cli, session);
  let seen = flags.number("sinceSeq") ?? 0;
  const query = { sessionId: session.id, afterSeq: seen, types, newest: flags.number("lines"), raw };
  for await (const event of readEvents(client, query)) {
    seen = event.seq;
    await drawer.take(event);
  }
  if (flags.on("follow")) {
    await followSession({
      client,
      sessionId: session.id,
      afterSeq: seen,
      findAgain: () => findAgain(cli),
      onEvent: (event) => (types.length === 0 || types.includes(event.type) ? drawer.take(event) : undefined),
    });
  }
  drawer.end();
  return 0;
}

function drawerFor(cli: Cli, session: SessionView): Drawer {
  if (cli.json) return { take: (event) => cli.output.jsonLine(event), end: () => undefined };
  const write = (line: string): void => cli.output.dataSoon(`${line}\n`);
  const live = new LiveLines({ session, facts: cli.output.facts.stdout, write });
  return {
    async take(event) {
      live.take(event);
      // Waits until what was written is taken: a slow reader must not fill our memory.
      await cli.output.data("");
    },
    end: () => live.end(),
  };
}

/** The agent's own lines. They are not part of the live stream, so they are read for each event. */
function rawDrawer(cli: Cli, client: LocalClient): Drawer {
  return {
    async take(event) {
      const raw = event.raw ?? (await rawOf(client, event));
      if (raw !== undefined && raw !== null) await cli.output.data(`${rawLine(raw)}\n`);
    },
    end: () => undefined,
  };
}

async function rawOf(client: LocalClient, event: EventView): Promise<unknown> {
  const query = { sessionId: event.sessionId, afterSeq: event.seq - 1, limit: 1, raw: true };
  const { events } = await client.sessions.events.query(query);
  return events[0]?.seq === event.seq ? events[0].raw : undefined;
}

function rawLine(raw: unknown): string {
  if (typeof raw !== "string") return harmlessJson(raw);
  try {
    return harmlessJson(JSON.parse(raw));
  } catch {
    return harmlessJson(raw);
  }
}
