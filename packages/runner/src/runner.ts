import type { Runner, RunnerOptions } from "@codehands/contracts";
import { attachRun } from "./session/attach-run.ts";
import { resumeSession } from "./session/resume-session.ts";
import {
  approveSession,
  diffSession,
  discardSession,
  rejectSession,
  snapshotSession,
} from "./session/review-session.ts";
import { openContext } from "./session/runner-context.ts";
import { startSession } from "./session/start-session.ts";
import { stopSession } from "./session/stop-session.ts";
import { undoSession } from "./session/undo-session.ts";

/**
 * The real runner. Without options it keeps its records in memory and its files below
 * `~/.codehands`. Refused calls throw a `RunnerError`; runs that fail end with `task.failed`.
 */
export function createRunner(options: RunnerOptions = {}): Runner {
  const context = openContext(options);
  return {
    start: (o) => startSession(context, o),
    stop: (sessionId, stop) => stopSession(context, sessionId, stop),
    resume: (sessionId, prompt, resume) => resumeSession(context, { sessionId, prompt, options: resume }),
    attach: (run) => attachRun(context, run),
    diff: (sessionId) => diffSession(context, sessionId),
    snapshot: (sessionId) => snapshotSession(context, sessionId),
    approve: (sessionId, message, approve) => approveSession(context, { sessionId, message, options: approve }),
    reject: (sessionId) => rejectSession(context, sessionId),
    discard: (sessionId) => discardSession(context, sessionId),
    undo: (sessionId, into) => undoSession(context, sessionId, into),
  };
}
