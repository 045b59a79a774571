import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderHelp } from "../program/render-help.ts";
import { renderDashboard } from "../render/dashboard.ts";
import { tellStale } from "../sessions/tell-stale.ts";
import type { SessionView } from "../wire-types.ts";

/** `codehands` alone: what waits, runs and was done lately on a terminal; the help elsewhere. */
export async function home(cli: Cli): Promise<ExitCode> {
  const { stdout } = cli.output.facts;
  if (!stdout.tty) {
    await cli.output.data(renderHelp([], 100));
    return 0;
  }
  const client = await cli.daemon.client();
  const [active, recent] = await Promise.all([
    client.sessions.list.query({ status: ["awaiting_approval", "running", "queued"], limit: 100 }),
    client.sessions.list.query({ limit: 20 }),
  ]);
  const known = new Set(active.sessions.map((session) => session.id));
  const sessions = [...active.sessions, ...recent.sessions.filter((session) => !known.has(session.id))];
  if (cli.json) {
    await cli.output.json({ sessions, nextCursor: null, unreadable: active.unreadable });
    return 0;
  }
  const ids = sessions.map((session) => session.id);
  const nameOf = ({ id }: SessionView): string => {
    const alone = ids.filter((other) => other.startsWith(id.slice(0, 4))).length === 1;
    return id.slice(0, alone ? 4 : 8);
  };
  await cli.output.data(renderDashboard(sessions, { facts: stdout, nowMs: cli.now(), nameOf }));
  await tellStale(cli, client, sessions);
  return 0;
}
