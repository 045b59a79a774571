import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { sentWords } from "../render/sent-lines.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { SessionView } from "../wire-types.ts";
import { askTwice } from "./send-command.ts";

/** The session a person means by a UUID, a prefix, a branch, `@last` or `@waiting`. Throws with exit code 3 or 2. */
export async function findSession(client: LocalClient, ref: string): Promise<SessionView> {
  const found = await client.sessions.resolve.query({ ref });
  if (!found.ok && found.code === "ambiguous") throw ambiguous(ref, found.candidates);
  const session = found.ok ? await client.sessions.get.query({ sessionId: found.sessionId }) : null;
  if (session === null) throw (await notBegun(client, ref)) ?? unknown(ref);
  return session;
}

/** The session a person means, and the daemon's calls, also when the daemon died and is started for the question. */
export function openSession(
  cli: Pick<Cli, "daemon">,
  ref: string,
): Promise<{ client: LocalClient; session: SessionView }> {
  return askTwice(cli, async (client) => ({ client, session: await findSession(client, ref) }));
}

/** The shortest name from four characters on that means this session alone. */
export async function shortNameOf(client: LocalClient, sessionId: string): Promise<string> {
  for (const length of [4, 8]) {
    const ref = sessionId.slice(0, length);
    const found = await client.sessions.resolve.query({ ref });
    if (found.ok && found.sessionId === sessionId) return ref;
  }
  return sessionId;
}

/** A session that another device is to begin and has not: it was sent from here, and there is nothing of it yet. */
async function notBegun(client: LocalClient, ref: string): Promise<CliError | null> {
  if (!/^[0-9a-f-]{4,36}$/i.test(ref)) return null;
  const sent = await client.sessions.sentCommands.query();
  const start = sent.find((one) => one.kind === "start" && one.sessionId?.startsWith(ref.toLowerCase()));
  if (start === undefined) return null;
  const isOpen = start.state === "queued" || start.state === "delivered";
  const name = stripToLine(start.device.name) || start.device.id.slice(0, 8);
  const why = isOpen ? `sent to ${name}, which has not answered` : sentWords(start, 0);
  const message = `Session ${ref} has not begun. Its start: ${why}.`;
  return new CliError({ code: "not_begun", exitCode: isOpen ? 8 : 3, message, hint: "codehands sync status" });
}

function ambiguous(ref: string, candidates: string[]): CliError {
  const named = candidates.slice(0, 5).map((id) => id.slice(0, 8));
  const more = candidates.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const message = `'${ref}' means ${candidates.length} sessions: ${list}.`;
  return new CliError({ code: "ambiguous", exitCode: 2, message, hint: `codehands show ${named[0] ?? "@last"}` });
}

function unknown(ref: string): CliError {
  const names = ref.startsWith("@")
    ? "@last and @waiting are the names that move along."
    : "Name it by its id, by at least four characters of it, by its branch, @last or @waiting.";
  const message = ref === "@waiting" ? "No session waits for you." : `There is no session '${ref}'. ${names}`;
  return new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands ls --all-repos" });
}
