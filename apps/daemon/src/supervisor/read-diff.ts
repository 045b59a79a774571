import type { Diff } from "@codehands/contracts";
import type { Supervision } from "./supervision.ts";

const NOTHING_LEFT = ["not_found", "worktree_missing", "repo_missing", "trash_gone"];

/** What a session changed, read afresh; null when neither its worktree nor a snapshot is left. */
export async function readDiff(s: Supervision, sessionId: string): Promise<Diff | null> {
  try {
    return await s.runner.diff(sessionId);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (NOTHING_LEFT.includes(code)) return null;
    throw error;
  }
}
