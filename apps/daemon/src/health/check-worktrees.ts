import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CheckView } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { sessionsIn } from "../sessions/session-rows.ts";
import { planStale } from "../supervisor/plan-stale.ts";
import { found, sizeWords } from "./check.ts";

const STALE_DAYS = 14;
/** A size is measured this long at most, ms: a folder of a million files must not hold the doctor up. */
const MEASURE_MS = 2_000;

export interface WorktreeFacts {
  store: OpenDatabase;
  /** ISO time of now. */
  now: string;
  orphans: readonly string[];
}

/** Worktrees that lie around for long, and folders that no session knows. */
export async function checkWorktrees({ store, now, orphans }: WorktreeFacts): Promise<CheckView[]> {
  const kept = sessionsIn(store, "stopped", "awaiting_approval", "failed");
  const folders: string[] = [];
  for (const { worktree } of planStale(kept, { now, staleDays: STALE_DAYS })) {
    if (worktree !== null && (await isFolder(worktree))) folders.push(worktree);
  }
  const stale =
    folders.length === 0
      ? found.ok(["worktrees", "worktrees"], `none older than ${STALE_DAYS} days`)
      : found.warn(
          ["worktrees", "worktrees"],
          `${folders.length} older than ${STALE_DAYS} days, ${await sizeOf(folders)}`,
          `codehands clean --stale ${STALE_DAYS}d`,
        );
  if (orphans.length === 0) return [stale];
  const detail = `${orphans.length} that no session knows, ${await sizeOf(orphans)}: ${orphans.slice(0, 3).join(", ")}${orphans.length > 3 ? " …" : ""}`;
  return [stale, found.warn(["orphans", "orphan folders"], detail, "codehands clean --orphans")];
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** The size of folders in words; "more than" when there was no time to look at everything. Links are not followed. */
async function sizeOf(folders: readonly string[], clock: () => number = Date.now): Promise<string> {
  const until = clock() + MEASURE_MS;
  const open = [...folders];
  let bytes = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (clock() > until) return `more than ${sizeWords(bytes)}`;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
    }
  }
  return sizeWords(bytes);
}
