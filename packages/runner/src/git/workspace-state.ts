import { join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { ensurePointer, ensureRegistration } from "./ensure-registration.ts";
import { baseIndexOf } from "./git-environment.ts";
import { readMarker, writeMarker } from "./owner-marker.ts";
import { copyIndex } from "./private-git-dir.ts";
import { assertWorktree } from "./read-tree.ts";
import { exists, listRegistrations } from "./registration.ts";
import { serialize } from "./serialize.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord } from "./workspace-record.ts";

export type WorkspaceState = { ok: true } | { ok: false; reason: "worktree_missing" | "repo_missing"; detail: string };

/**
 * Whether an agent may go on in a workspace. A git that runs there must find this very worktree and
 * never walk up into another repository, so a lost registration or `.git` file of ours is written
 * again; what lay in its place is kept. The person's own checkout is never touched.
 */
export async function checkWorkspace(ws: Workspace): Promise<WorkspaceState> {
  if (!(await exists(join(ws.commonDir, "objects"))) || !(await exists(join(ws.commonDir, "HEAD")))) {
    const detail = `The repository ${ws.repoPath} is gone or was moved. The worktree and what is pinned of it are kept.`;
    return { ok: false, reason: "repo_missing", detail };
  }
  return serialize(ws.privateGitDir, async () => {
    try {
      const record = await readRecord(ws);
      await assertWorktree(ws);
      const marker = await readMarker(ws.worktree);
      if (marker === null) {
        const { homeId, sessionId } = record;
        await writeMarker(ws.worktree, { homeId, sessionId, privateGitDir: ws.privateGitDir });
      } else if (marker.homeId !== record.homeId || marker.sessionId !== record.sessionId) {
        return missing(`The folder ${ws.worktree} belongs to another session. Nothing was changed.`);
      }
      const adminDir = await serialize(ws.commonDir, () => ensureRegistration(ws, record));
      await ensurePointer(ws, { folder: ws.worktree, adminDir });
      if (!(await exists(join(adminDir, "index")))) await copyIndex(baseIndexOf(ws), join(adminDir, "index"));
      return { ok: true };
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error;
      return missing(`${error.message}${await whereNow(ws)}`);
    }
  });
}

function missing(detail: string): WorkspaceState {
  return { ok: false, reason: "worktree_missing", detail };
}

/** Where `git worktree move` has put the folder, as a sentence. */
async function whereNow(ws: Workspace): Promise<string> {
  const { sessionId } = await readRecord(ws).catch(() => ({ sessionId: "" }));
  const entries = await listRegistrations(ws.commonDir);
  const moved = entries.find((entry) => entry.owner?.sessionId === sessionId && entry.worktree !== ws.worktree);
  if (moved === undefined || !(await exists(moved.worktree))) return "";
  return ` It lies at ${moved.worktree} now: bring it back with "git worktree move -f -f ${moved.worktree} ${ws.worktree}".`;
}
