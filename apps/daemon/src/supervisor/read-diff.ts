import type { Diff } from "@codehands/contracts";
import { readSession } from "../sessions/session-rows.ts";
import { sentenceOf } from "./read-fault.ts";
import type { Supervision } from "./supervision.ts";

const NOTHING_LEFT = ["not_found", "worktree_missing", "repo_missing", "trash_gone"];

/**
 * What a session changed, read afresh; null when neither its worktree nor a snapshot is left. When a person changed the
 * worktree of a waiting session, what is reviewed now is pinned as its change: that is what can be approved.
 */
export async function readDiff(s: Supervision, sessionId: string): Promise<Diff | null> {
  try {
    const diff = await s.runner.diff(sessionId);
    await pinReviewed(s, sessionId, diff);
    return diff;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (NOTHING_LEFT.includes(code)) return null;
    throw error;
  }
}

async function pinReviewed(s: Supervision, sessionId: string, diff: Diff): Promise<void> {
  const isMoved = (): boolean => {
    const session = readSession(s.deps.store, sessionId);
    return session?.status === "awaiting_approval" && session.treeId !== diff.treeId;
  };
  if (diff.fromSnapshot === true || !isMoved()) return;
  // Not while something is decided about the session: a decision stands on the tree that was reviewed before it.
  await s.lanes.run(sessionId, async () => {
    if (s.closing || !isMoved()) return;
    await s.runner
      .snapshot(sessionId)
      .catch((error) => s.deps.log.warn({ sessionId, error: sentenceOf(error) }, "a moved change was not pinned"));
  });
}
