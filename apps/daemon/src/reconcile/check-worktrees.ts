import { sessionsIn } from "../sessions/session-rows.ts";
import { sentenceOf } from "../supervisor/read-fault.ts";
import type { Supervision } from "../supervisor/supervision.ts";
import { lookForWorktree } from "./look-at-session.ts";

/**
 * Ends the runs whose worktree vanished under their agent; each then becomes failed (worktree_missing). A worktree
 * that cannot be looked at is left alone.
 */
export async function checkWorktrees(s: Supervision): Promise<void> {
  for (const session of sessionsIn(s.deps.store, "running")) {
    if (session.worktree === null || !s.active.has(session.id)) continue;
    if ((await lookForWorktree(session.worktree)) !== "gone" || s.closing) continue;
    s.deps.log.warn(
      { sessionId: session.id, worktree: session.worktree },
      "the worktree of a running session vanished",
    );
    await s.runner
      .stop(session.id, { now: true, reason: "worktree_missing" })
      .catch((error) =>
        s.deps.log.info({ sessionId: session.id, error: sentenceOf(error) }, "the run had ended already"),
      );
  }
}
