import { setTimeout as sleep } from "node:timers/promises";
import type { EventView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { isAlive } from "../connect/is-alive.ts";
import { type ExitCode, exitOfSession } from "../exit-code.ts";
import { sentWords } from "../render/sent-lines.ts";
import { renderNext, renderPlace } from "../render/session-head.ts";
import type { SessionView } from "../wire-types.ts";
import { followSession } from "./follow-session.ts";
import { LiveLines } from "./live-lines.ts";
import { sendCommand } from "./send-command.ts";

/** `live` draws what the agent does, `silent` only how it ended, `lines` writes every event as a JSON line. */
export type FollowMode = "live" | "silent" | "lines";

export interface FollowLiveOptions {
  client: LocalClient;
  session: SessionView;
  /** How hints name the session. */
  name: string;
  mode: FollowMode;
  afterSeq?: number;
  endedAtRev?: number;
}

const SECOND_PRESS_MS = 2_500;

/**
 * Follows a session before a person's eyes and gives the exit code of its ending. Ctrl-C once leaves it running,
 * twice stops it. What is drawn goes to stderr; with `--json` the ended session (or the lines) to stdout.
 */
export async function followLive(cli: Cli, o: FollowLiveOptions): Promise<ExitCode> {
  const leaving = new AbortController();
  const pressed = { again: (): void => undefined };
  const secondPress = new Promise<void>((resolve) => {
    pressed.again = resolve;
  });
  const giveBack = cli.onInterrupt(() => (leaving.signal.aborted ? pressed.again() : leaving.abort()));
  try {
    const ended = await follow(cli, o, leaving.signal);
    if (ended !== null) return await tellEnd(cli, o, ended);
    await leave(cli, o, secondPress);
    return 130;
  } finally {
    giveBack();
  }
}

async function follow(cli: Cli, o: FollowLiveOptions, signal: AbortSignal): Promise<SessionView | null> {
  const { facts } = cli.output;
  const live = new LiveLines({ session: o.session, facts: facts.stderr, write: (line) => cli.output.note(line) });
  let placed = false;
  try {
    return await followSession({
      client: o.client,
      sessionId: o.session.id,
      afterSeq: o.afterSeq ?? 0,
      ...(o.endedAtRev !== undefined && { endedAtRev: o.endedAtRev }),
      signal,
      findAgain: () => findAgain(cli),
      onSession(session) {
        live.seeSession(session);
        const place = renderPlace(session, facts.stderr);
        if (o.mode !== "live" || placed || place === "") return;
        placed = true;
        cli.output.note(place);
      },
      onEvent: (event: EventView) => {
        if (o.mode === "lines") return cli.output.jsonLine(event);
        if (o.mode === "live") live.take(event);
        return undefined;
      },
    });
  } finally {
    live.end();
  }
}

/**
 * The daemon's calls after its connection was lost. One that died is started again, so that its sessions are looked
 * after; one that was stopped stays stopped: it has taken its `daemon.json` along.
 */
export async function findAgain(cli: Pick<Cli, "daemon">): Promise<LocalClient | null> {
  const found = await cli.daemon.find();
  if (found.state === "running") return found.daemon.client;
  return found.state === "silent" && !isAlive(found.file.pid) ? cli.daemon.client() : null;
}

async function tellEnd(cli: Cli, o: FollowLiveOptions, ended: SessionView): Promise<ExitCode> {
  if (o.mode === "lines") await cli.output.jsonLine({ type: "result", session: ended });
  else if (cli.json) await cli.output.json(ended);
  if (!cli.json && !cli.quiet) cli.output.note(renderNext(ended, o.name, cli.output.facts.stderr));
  return exitOfSession(ended);
}

async function leave(cli: Cli, o: FollowLiveOptions, secondPress: Promise<void>): Promise<void> {
  cli.output.note(`\nDetached. Session ${o.name} goes on.   codehands logs ${o.name} -f   codehands stop ${o.name}`);
  cli.output.note("Press Ctrl-C again to stop it.");
  const patience = new AbortController();
  const later = sleep(SECOND_PRESS_MS, "later", { signal: patience.signal }).catch(() => "later");
  const first = await Promise.race([secondPress.then(() => "again"), later]);
  patience.abort();
  if (first === "later") return;
  cli.output.note(`Stopping session ${o.name}.`);
  const commandId = cli.newCommandId();
  const stop = { commandId, sessionId: o.session.id };
  const { pending } = await sendCommand(cli, { commandId, name: o.name }, (client) =>
    client.sessions.stop.mutate(stop),
  );
  if (pending !== undefined) {
    cli.output.note(`Sent: ${sentWords({ ...pending, reason: null }, cli.now())}.   codehands show ${o.name}`);
    return;
  }
  cli.output.note(`Stopped. Its work is kept.   codehands resume ${o.name}   codehands diff ${o.name}`);
}
