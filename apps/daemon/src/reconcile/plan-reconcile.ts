import type { EndReason, Run, SessionStatus } from "@codehands/contracts";

/** What was found of a session's files. `unknown` when looking itself failed: then nothing is decided. */
export type Look = "there" | "gone" | "unknown";

export interface SessionFacts {
  id: string;
  status: SessionStatus;
  /** Null when the session never had one. */
  worktree: Look | null;
  snapshot: Look | null;
  repo: Look;
}

export interface ReconcileFacts {
  /** Runs that are not known to have ended, in their order. */
  runs: readonly Pick<Run, "id" | "sessionId" | "state">[];
  sessions: readonly SessionFacts[];
  /** Sessions with a command that is still to be carried out: it may have put their worktree away already. */
  claimed: readonly string[];
}

export interface ReconcilePlan {
  /** Runs whose output is read on. */
  attach: string[];
  /** Runs whose last event is stored already: only their row is closed. */
  endRuns: string[];
  /** Sessions that say running although no run of theirs is left. */
  close: string[];
  /** Sessions of which nothing is left to approve or resume. */
  missing: { sessionId: string; reason: EndReason & ("worktree_missing" | "repo_missing") }[];
}

/**
 * Decides what a start of the daemon has to put in order. A live run moves its session to running in the same
 * transaction, so a live run of a session that is not running has ended; a spawning one may be the start of
 * anything and is adopted.
 */
export function planReconcile({ runs, sessions, claimed }: ReconcileFacts): ReconcilePlan {
  const plan: ReconcilePlan = { attach: [], endRuns: [], close: [], missing: [] };
  const newest = new Map(runs.map((run) => [run.sessionId, run.id]));
  const status = new Map(sessions.map((session) => [session.id, session.status]));
  const attached = new Set<string>();
  for (const run of runs) {
    if (newest.get(run.sessionId) === run.id && isOpen(run.state, status.get(run.sessionId))) {
      plan.attach.push(run.id);
      attached.add(run.sessionId);
    } else {
      plan.endRuns.push(run.id);
    }
  }
  for (const session of sessions) {
    if (attached.has(session.id)) continue;
    if (session.status === "running") plan.close.push(session.id);
    else if (!claimed.includes(session.id) && isLost(session)) {
      const reason = session.repo === "gone" ? "repo_missing" : "worktree_missing";
      plan.missing.push({ sessionId: session.id, reason });
    }
  }
  return plan;
}

function isOpen(state: Run["state"], status: SessionStatus | undefined): boolean {
  if (status === "running") return true;
  return state === "spawning" && (status === "queued" || status === "stopped");
}

/** Only when neither the worktree nor a pinned snapshot is left; one that could not be looked at is not lost. */
function isLost({ status, worktree, snapshot }: SessionFacts): boolean {
  const waits = status === "queued" || status === "stopped" || status === "awaiting_approval";
  return waits && worktree === "gone" && (snapshot === "gone" || snapshot === null);
}
