import type { HomePaths } from "@codehands/contracts";
import type { SessionRow } from "../sessions/session-rows.ts";
import type { TrashRow } from "./trash-rows.ts";

const DAY_MS = 86_400_000;

/** Where a session's worktree was put and how long it is kept; null for a session that never had one. */
export function trashRowOf(
  deps: { paths: HomePaths; clock: () => string; settings: { readonly trashDays: number } },
  session: Pick<SessionRow, "id" | "worktree">,
): TrashRow | null {
  if (session.worktree === null) return null;
  const deletedAt = deps.clock();
  return {
    sessionId: session.id,
    ref: `refs/codehands/trash/${session.id}`,
    folder: `${deps.paths.trash}/${session.id}`,
    bytes: null,
    deletedAt,
    expiresAt: new Date(Date.parse(deletedAt) + deps.settings.trashDays * DAY_MS).toISOString(),
  };
}
