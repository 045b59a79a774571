import { pinned } from "./pin-commits.ts";
import type { Workspace } from "./workspace.ts";

/** The ref that holds a session's last snapshot, in the private git folder. */
export function snapshotRef(ws: Workspace): string {
  return `refs/codehands/snapshot/${ws.sessionId}`;
}

/** The ref that holds what a session's worktree was when it went into the trash, in the private git folder. */
export function trashRef(ws: Workspace): string {
  return `refs/codehands/trash/${ws.sessionId}`;
}

/** The commit of the newest content that is pinned for a session; null when there is none. */
export async function pinnedContent(ws: Workspace): Promise<string | null> {
  return (await pinned(ws, trashRef(ws))) ?? (await pinned(ws, snapshotRef(ws)));
}
