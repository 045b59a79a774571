import type { ResumePayload } from "@codehands/contracts";
import { type CommandRow, readCommand } from "../commands/command-rows.ts";
import { sessionAtRest } from "./await-run.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { finish, type Supervision, type WaitingResume } from "./supervision.ts";

/**
 * Resumes a stopped session: answered when its new run lives, or at once when it has to wait for a free place; the
 * claimed command then keeps that place in the queue over restarts.
 */
export async function resumeSession(s: Supervision, row: CommandRow, payload: ResumePayload): Promise<void> {
  const session = await sessionAtRest(s, row.sessionId);
  if (readCommand(s.deps.store, row.id)?.state !== "claimed") return;
  if (session.status === "running" && s.resuming.get(session.id) === row.id) {
    return finish(s, row, { ending: { state: "done" } });
  }
  if (session.status !== "stopped") return refuseMoved(s, row, session);
  if (s.waitingResumes.some((other) => other.sessionId === session.id)) {
    const reason = `Session ${session.id.slice(0, 4)} is to be resumed already, as soon as a place is free.`;
    return finish(s, row, { ending: { state: "refused", code: "already_running", reason, result: { next: "wait" } } });
  }
  const waiting: WaitingResume = {
    sessionId: session.id,
    commandId: row.id,
    inLane: true,
    ...(payload.prompt === undefined ? {} : { prompt: payload.prompt }),
    ...(payload.budgetUsd === undefined ? {} : { budgetUsd: payload.budgetUsd }),
  };
  s.waitingResumes.push(waiting);
  s.pump();
  waiting.inLane = false;
  if (!s.waitingResumes.includes(waiting)) await s.active.get(session.id)?.live;
}
