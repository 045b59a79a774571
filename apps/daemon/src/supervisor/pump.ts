import type { StartOptions } from "@codehands/contracts";
import { endCommand, startPayloadOf } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { readSession, type SessionRow, sessionsIn } from "../sessions/session-rows.ts";
import { sentenceOf } from "./read-fault.ts";
import { runSession } from "./run-session.ts";
import { planSchedule } from "./schedule.ts";
import type { Supervision, WaitingResume } from "./supervision.ts";

/** Starts the queued sessions and waiting resumes that may run now. Called whenever something ended or was asked for. */
export function pump(s: Supervision): void {
  if (s.closing) return;
  try {
    const queued = sessionsIn(s.deps.store, "queued").filter((session) => mayLaunch(s, session.id, false));
    const resumes = s.waitingResumes.filter((resume) => mayLaunch(s, resume.sessionId, resume.inLane));
    const chosen = planSchedule({
      waiting: [
        ...resumes.map(({ sessionId }) => ({
          sessionId,
          place: placeOf(readSession(s.deps.store, sessionId), sessionId),
        })),
        ...queued.map((session) => ({ sessionId: session.id, place: placeOf(session, session.id) })),
      ],
      running: [...s.active.values()].map((run) => run.place),
      concurrency: s.deps.settings.concurrency,
    });
    for (const sessionId of chosen) {
      const resume = resumes.find((waiting) => waiting.sessionId === sessionId);
      if (resume === undefined) launchStart(s, sessionId);
      else launchResume(s, resume);
    }
  } catch (error) {
    s.deps.log.error({ error: sentenceOf(error) }, "the queue could not be read");
  }
}

function mayLaunch(s: Supervision, sessionId: string, inLane: boolean): boolean {
  return !s.active.has(sessionId) && (inLane || !s.lanes.busy(sessionId));
}

function placeOf(session: SessionRow | undefined, sessionId: string): string {
  return session?.worktree ?? sessionId;
}

function launchStart(s: Supervision, sessionId: string): void {
  const session = readSession(s.deps.store, sessionId);
  if (session === undefined) return;
  const payload = startPayloadOf(s.deps.store, sessionId);
  const options: StartOptions = {
    ...payload?.options,
    sessionId,
    repoPath: session.repoPath,
    prompt: session.prompt,
    title: session.title,
    agent: session.agent as StartOptions["agent"],
    afterSeq: session.lastSeq,
    ...(session.model === null ? {} : { model: session.model }),
    ...(session.budgetUsd === null ? {} : { budgetUsd: session.budgetUsd }),
  };
  runSession(s, {
    sessionId,
    place: placeOf(session, sessionId),
    attached: false,
    open: () => s.runner.start(options),
  });
}

function launchResume(s: Supervision, resume: WaitingResume): void {
  const { sessionId, commandId, prompt, budgetUsd } = resume;
  s.waitingResumes.splice(s.waitingResumes.indexOf(resume), 1);
  const session = readSession(s.deps.store, sessionId);
  if (session?.status !== "stopped") {
    const reason = `Session ${sessionId.slice(0, 4)} is ${session?.status ?? "gone"} now, so it cannot be resumed.`;
    inTransaction(s.deps.store, (tx) =>
      endCommand(tx, commandId, { state: "refused", code: "illegal_move", reason, result: { next: "show" } }),
    );
    return;
  }
  s.resuming.set(sessionId, commandId);
  runSession(s, {
    sessionId,
    place: placeOf(session, sessionId),
    attached: false,
    open: async function* () {
      const trustRepoSettings = (await s.deps.trustsRepo?.(session.repoKey, session.repoPath)) === true;
      const options = { trustRepoSettings, ...(budgetUsd === undefined ? {} : { budgetUsd }) };
      yield* s.runner.resume(sessionId, prompt, options);
    },
  });
}
