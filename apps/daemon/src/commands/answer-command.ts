import type { CommandAnswer, CommandState } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { viewSession } from "../sessions/read-sessions.ts";
import type { ViewContext } from "../sessions/session-view.ts";
import { outcomeOf, readCommand } from "./command-rows.ts";

/**
 * The answer to a stored command. One that is still being carried out is told as accepted. Throws `command_failed`
 * with the reason when the command met a fault and it is not known how far it came.
 */
export function answerCommand(store: OpenDatabase, commandId: string, context: ViewContext): CommandAnswer {
  const row = readCommand(store, commandId);
  if (row === undefined) throw new DaemonError("not_found", `There is no command ${commandId}.`);
  const outcome = outcomeOf(row);
  const session = row.sessionId === null ? null : viewSession(store, row.sessionId, context);
  if (outcome.state === "done" || outcome.state === "claimed") return { ok: true, session, result: outcome.result };
  if (outcome.code === null) {
    throw new DaemonError("command_failed", outcome.reason ?? `The command ${row.kind} failed.`);
  }
  const next = outcome.result?.next;
  return {
    ok: false,
    code: outcome.code,
    reason: outcome.reason ?? "The command was refused.",
    next: typeof next === "string" ? next : null,
    session,
  };
}

/** What became of a command that came to this device; null for an unknown one. */
export function commandStateOf(store: OpenDatabase, commandId: string, context: ViewContext): CommandState {
  const row = readCommand(store, commandId);
  if (row === undefined) return null;
  const { state, code, reason, result } = outcomeOf(row);
  return {
    commandId,
    sessionId: row.sessionId,
    kind: row.kind,
    state: state === "claimed" ? "delivered" : state,
    device: { id: context.deviceId, name: context.deviceName },
    lastHeardAt: null,
    code,
    reason,
    result,
  };
}
