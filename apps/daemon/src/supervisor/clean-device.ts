import { existsSync } from "node:fs";
import type { CleanPayload } from "@codehands/contracts";
import type { CommandRow } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { listOrphans } from "../reconcile/list-orphans.ts";
import { sessionsIn } from "../sessions/session-rows.ts";
import { folderBytes } from "../trash/folder-bytes.ts";
import { sweepTrash } from "../trash/sweep-trash.ts";
import { trashRowOf } from "../trash/trash-row-of.ts";
import { putTrash } from "../trash/trash-rows.ts";
import { planStale } from "./plan-stale.ts";
import { sentenceOf } from "./read-fault.ts";
import { finish, type Supervision } from "./supervision.ts";

const STALE_DAYS = 14;

/**
 * Puts the worktrees of sessions that ended long ago into the trash and empties what is over its time there.
 * Folders that belong to no session are only listed. `dryRun` tells what would go.
 */
export async function cleanDevice(s: Supervision, row: CommandRow, payload: CleanPayload): Promise<void> {
  const { store, settings, clock, paths } = s.deps;
  const dryRun = payload.dryRun === true;
  const ended = sessionsIn(store, "failed", "rejected", "approved").filter(
    (session) => session.worktree !== null && existsSync(session.worktree) && !s.active.has(session.id),
  );
  const removed: string[] = [];
  const kept: { path: string; why: string }[] = [];
  let bytes = 0;
  for (const session of planStale(ended, { now: clock(), staleDays: payload.staleDays ?? STALE_DAYS })) {
    const worktree = session.worktree as string;
    const size = await folderBytes(worktree);
    try {
      if (!dryRun) {
        await s.runner.discard(session.id);
        const trash = trashRowOf(s.deps, session);
        if (trash !== null) inTransaction(store, (tx) => putTrash(tx, trash));
      }
      if (!dryRun && existsSync(worktree)) {
        kept.push({ path: worktree, why: "could not be moved into the trash" });
        continue;
      }
      removed.push(worktree);
      bytes += size;
    } catch (error) {
      kept.push({ path: worktree, why: sentenceOf(error) });
    } finally {
      s.records.settle(session.id);
    }
  }
  const swept = await sweepTrash({ store, trashRoot: paths.trash, now: clock(), dryRun });
  if (payload.orphans === true) {
    const orphans = await listOrphans({ store, worktreeRoot: settings.worktreeRoot });
    for (const path of orphans.ok ? orphans.paths : []) kept.push({ path, why: "belongs to no session" });
  }
  const trash = { removed: swept.removed.length, bytes: swept.bytes };
  finish(s, row, { ending: { state: "done", result: { dryRun, removed, bytes: bytes + swept.bytes, kept, trash } } });
}
