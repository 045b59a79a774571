import type { EndReason, StopPayload } from "@codehands/contracts";
import { type CommandRow, type Ending, endCommand } from "../commands/command-rows.ts";
import type { NewEvent } from "../sessions/event-log.ts";
import { isRunEnd } from "../sessions/event-stream.ts";
import { mustRead } from "./await-run.ts";
import { sentenceOf } from "./read-fault.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { finish, type Supervision } from "./supervision.ts";

/**
 * Stops a session: answered once no process of it is left and its last event is stored, in the transaction of that
 * event. A queued one that never started becomes failed (cancelled).
 */
export async function stopSession(s: Supervision, row: CommandRow, payload: StopPayload): Promise<void> {
  const session = mustRead(s, row.sessionId);
  if (s.active.has(session.id)) return await stopRun(s, row, payload.now === true);
  if (session.status !== "queued") return refuseMoved(s, row, session);
  s.inbox.append(cancelled(session.id, "cancelled"), (tx) => endCommand(tx, row.id, { state: "done" }));
}

/** The event of a queued session that will never start. */
export function cancelled(sessionId: string, reason: EndReason & ("cancelled" | "discarded")) {
  const detail = reason === "cancelled" ? "Stopped before it started." : "Discarded before it started.";
  return { sessionId, type: "task.failed", payload: { reason, detail } };
}

async function stopRun(s: Supervision, row: CommandRow, now: boolean): Promise<void> {
  const sessionId = row.sessionId as string;
  const forget = s.inbox.onMove(sessionId, (tx, event) => {
    if (isRunEnd(event.type)) endCommand(tx, row.id, endingBy(event));
  });
  try {
    await s.runner.stop(sessionId, { now, reason: "person", by: row.senderDevice });
  } catch (error) {
    // It ended by itself in the same moment; the event says how.
    s.deps.log.info({ sessionId, error: sentenceOf(error) }, "a stop came too late");
  } finally {
    await s.deps.crashPoint("stop.after-runner");
    await s.active.get(sessionId)?.done;
    forget();
  }
  const session = mustRead(s, sessionId);
  if (s.closing) return;
  // Without an end event of its own the run was closed by us: the session is stopped or failed all the same.
  if (session.status === "stopped" || session.status === "failed") {
    finish(s, row, { ending: { state: "done" } });
  } else refuseMoved(s, row, session);
}

function endingBy(event: NewEvent): Ending {
  const ended = event.type === "task.stopped" || event.payload.reason === "cancelled";
  if (ended) return { state: "done" };
  const how = event.type === "task.finished" ? "finished" : "failed";
  const reason = `Session ${event.sessionId.slice(0, 4)} ${how} before it could be stopped.`;
  return { state: "refused", code: "illegal_move", reason, result: { next: how === "finished" ? "diff" : "show" } };
}
