import { setTimeout as pause } from "node:timers/promises";
import type { EventPayloads } from "@codehands/contracts";
import { endCommand } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { endRun, runsOf } from "../runs/run-rows.ts";
import { readSession, type SessionRow } from "../sessions/session-rows.ts";
import { endingOf, endReasonOf, sentenceOf } from "./read-fault.ts";
import type { RunRequest } from "./run-session.ts";
import type { Supervision } from "./supervision.ts";

type OwnEnd =
  | { type: "task.failed"; payload: EventPayloads["task.failed"] }
  | { type: "task.stopped"; payload: EventPayloads["task.stopped"] };

/**
 * Ends what a run left open: a session that is still running gets its last event, and a resume that never became a
 * run gets its answer. Tries again while the disk is full; gives up only when the daemon stops.
 */
export async function closeRun(s: Supervision, request: RunRequest, fault: unknown): Promise<void> {
  for (;;) {
    try {
      return closeOnce(s, request, fault);
    } catch (error) {
      s.deps.log.error(
        { sessionId: request.sessionId, error: sentenceOf(error) },
        "the end of a run could not be stored",
      );
      if (s.closing) return;
      await pause(1_000);
      if (s.closing) return;
    }
  }
}

function closeOnce(s: Supervision, { sessionId, attached }: RunRequest, fault: unknown): void {
  const { store } = s.deps;
  const session = readSession(store, sessionId);
  if (session === undefined) return;
  const end = planEnd(session, { attached, fault });
  if (end !== null) s.inbox.append({ sessionId, ...end });
  const commandId = s.resuming.get(sessionId);
  inTransaction(store, (tx) => {
    if (end !== null) for (const run of runsOf(store, sessionId)) endRun(tx, run.id, s.deps.clock());
    if (commandId !== undefined && fault !== null) endCommand(tx, commandId, endingOf(fault));
  });
  if (fault !== null) {
    s.deps.log.warn({ sessionId, error: sentenceOf(fault), status: session.status }, "a run ended by a fault");
  }
}

/** The last event that a run did not give itself; null when the session needs none. */
export function planEnd(
  session: Pick<SessionRow, "status" | "agentSessionId">,
  { attached, fault }: { attached: boolean; fault: unknown },
): OwnEnd | null {
  const { status } = session;
  if (status !== "running" && !(status === "queued" && fault !== null)) return null;
  if (fault !== null) {
    return { type: "task.failed", payload: { reason: endReasonOf(fault), detail: sentenceOf(fault) } };
  }
  if (attached && session.agentSessionId !== null)
    return { type: "task.stopped", payload: { reason: "daemon_restart" } };
  const detail = "The run ended without saying how. Its worktree and log are kept.";
  return { type: "task.failed", payload: { reason: "exit_unknown", detail } };
}
