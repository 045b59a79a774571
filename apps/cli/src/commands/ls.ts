import type { SessionQuery } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { SESSION_STATUSES, type SessionStatus } from "@codehands/contracts";
import { deviceIdOf } from "../account/find-device.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { counted } from "../render/amounts.ts";
import { renderSessionTable, sortForPerson } from "../render/session-table.ts";
import { repoAround, repoOf } from "../sessions/repo-folder.ts";
import { tellStale } from "../sessions/tell-stale.ts";
import type { SessionPage } from "../wire-types.ts";

/** `codehands ls`: the sessions of this repository, the waiting ones first. */
export async function ls(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  const repoKey = await repoKeyOf(cli, client, flags.on("allRepos"));
  const page = await readPage(client, { flags, repoKey });
  if (page.unreadable > 0)
    cli.output.warn(`${counted(page.unreadable, "session")} could not be read and are left out.`);
  const sessions = sortForPerson(page.sessions);
  if (cli.json) {
    await cli.output.json({ sessions, nextCursor: page.nextCursor, unreadable: page.unreadable });
  } else if (cli.quiet) {
    await cli.output.data(sessions.map((session) => `${session.id}\n`).join(""));
  } else if (sessions.length === 0) {
    cli.output.note(repoKey === null ? "No sessions." : "No sessions in this repository.   codehands ls --all-repos");
  } else {
    const o = { facts: cli.output.facts.stdout, nowMs: cli.now(), withRepo: repoKey === null };
    await cli.output.data(renderSessionTable(sessions, o));
    await tellStale(cli, client, sessions);
    if (page.nextCursor !== null) cli.output.note(`There are more.   codehands ls --cursor ${page.nextCursor}`);
  }
  return 0;
}

async function readPage(
  client: LocalClient,
  o: { flags: Call["flags"]; repoKey: string | null },
): Promise<SessionPage> {
  const { flags, repoKey } = o;
  const [device, since, search] = [flags.text("device"), flags.text("since"), flags.text("search")];
  const deviceId = device === undefined ? undefined : await deviceIdOf(client, device);
  const status = SESSION_STATUSES.filter((one) => flags.list("status").includes(one));
  const cursor = flags.text("cursor");
  const query = {
    limit: flags.number("limit") ?? 50,
    ...(repoKey !== null && { repoKey }),
    ...(deviceId !== undefined && { deviceId }),
    ...(since !== undefined && { since }),
    ...(search !== undefined && { search }),
  } satisfies SessionQuery;
  if (flags.on("waiting")) status.splice(0, status.length, "awaiting_approval");
  const page = await client.sessions.list.query({
    ...query,
    ...(status.length > 0 && { status }),
    ...(cursor !== undefined && { cursor }),
  });
  // What waits must not be missing only because it is older than a page.
  const mayMiss = status.length === 0 && cursor === undefined && page.nextCursor !== null;
  return mayMiss ? withWaiting(client, query, page) : page;
}

async function withWaiting(client: LocalClient, query: SessionQuery, page: SessionPage): Promise<SessionPage> {
  const status: SessionStatus[] = ["awaiting_approval", "running"];
  const first = await client.sessions.list.query({ ...query, status });
  const known = new Set(page.sessions.map((session) => session.id));
  return { ...page, sessions: [...first.sessions.filter((session) => !known.has(session.id)), ...page.sessions] };
}

/** The key of the repository to list; null for all. */
async function repoKeyOf(cli: Cli, client: LocalClient, all: boolean): Promise<string | null> {
  if (all) return null;
  const path = cli.repo === null ? repoAround(cli.cwd) : repoOf(cli);
  if (path === null) return null;
  return (await client.repos.trustState.query({ path })).key;
}
