import { DaemonError } from "../home/daemon-error.ts";
import { readSession, type SessionRow } from "../sessions/session-rows.ts";
import type { Supervision } from "./supervision.ts";

/**
 * The session of a command, once the run before has let go of it: its last event is stored a moment before
 * its runner has put everything away.
 */
export async function sessionAtRest(s: Supervision, sessionId: string | null): Promise<SessionRow> {
  const session = mustRead(s, sessionId);
  if (session.status === "running" || session.status === "queued") return session;
  await s.active.get(session.id)?.done;
  return mustRead(s, sessionId);
}

/** The session of a command. Throws `not_found`. */
export function mustRead(s: Supervision, sessionId: string | null): SessionRow {
  const session = sessionId === null ? undefined : readSession(s.deps.store, sessionId);
  if (session === undefined) throw new DaemonError("not_found", `There is no session ${sessionId}.`);
  return session;
}
