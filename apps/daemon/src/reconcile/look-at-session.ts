import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionRow } from "../sessions/session-rows.ts";
import type { Look, SessionFacts } from "./plan-reconcile.ts";

/** Looks for what is left of a session on disk. A folder whose parents cannot be reached counts as unknown, not as gone. */
export async function lookAtSession(
  session: Pick<SessionRow, "id" | "status" | "worktree" | "privateGitDir" | "snapshotRef" | "repoPath">,
): Promise<SessionFacts> {
  const { id, status, worktree, privateGitDir, snapshotRef, repoPath } = session;
  const snapshot = privateGitDir === null || snapshotRef === null ? null : lookForRef(privateGitDir, snapshotRef);
  return {
    id,
    status,
    worktree: worktree === null ? null : await lookForWorktree(worktree),
    snapshot: await snapshot,
    repo: await lookAt(repoPath),
  };
}

/**
 * Looks for a worktree. When the folder that holds the repository's worktrees is not there either (a disk that is not
 * mounted), that says nothing about one of them.
 */
export async function lookForWorktree(worktree: string): Promise<Look> {
  const found = await lookAt(worktree);
  if (found !== "gone") return found;
  return (await lookAt(dirname(worktree))) === "there" ? "gone" : "unknown";
}

async function lookForRef(gitDir: string, ref: string): Promise<Look> {
  const loose = await lookAt(join(gitDir, ref));
  if (loose !== "gone") return loose;
  try {
    const packed = await readFile(join(gitDir, "packed-refs"), "utf8");
    return packed.split("\n").some((line) => line.endsWith(` ${ref}`)) ? "there" : "gone";
  } catch (error) {
    return isMissing(error) ? "gone" : "unknown";
  }
}

async function lookAt(path: string): Promise<Look> {
  try {
    await stat(path);
    return "there";
  } catch (error) {
    return isMissing(error) ? "gone" : "unknown";
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}
