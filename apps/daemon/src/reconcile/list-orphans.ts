import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { OpenDatabase } from "../database/open-database.ts";
import { sessions } from "../database/schema.ts";

/** Folders below the worktree root that no session of this home knows. Nothing is ever deleted by this. */
export async function listOrphans(at: {
  store: OpenDatabase;
  worktreeRoot: string;
}): Promise<{ ok: true; paths: string[] } | { ok: false; reason: string }> {
  const known = new Set(
    at.store.db
      .select({ worktree: sessions.worktree })
      .from(sessions)
      .all()
      .map((row) => row.worktree),
  );
  try {
    const paths: string[] = [];
    for (const repo of await folders(await realpath(at.worktreeRoot))) {
      for (const worktree of await folders(repo)) if (!known.has(worktree)) paths.push(worktree);
    }
    return { ok: true, paths: paths.sort() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { ok: true, paths: [] };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function folders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
}
