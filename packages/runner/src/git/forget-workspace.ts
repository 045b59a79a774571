import { realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { commonPlace } from "./git-environment.ts";
import { exists } from "./registration.ts";
import { tryGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { readTrashRecord } from "./trash-record.ts";
import type { Workspace } from "./workspace.ts";
import { originOf } from "./workspace-record.ts";

/**
 * Deletes a workspace's folder in the trash, for the trash's age and size limits. What is pinned
 * stays, so undo still brings back what git keeps. Returns false when there is no such folder.
 */
export async function dropTrashFolder(ws: Workspace, o: { trashRoot: string }): Promise<boolean> {
  return serialize(ws.privateGitDir, async () => {
    const trash = await readTrashRecord(ws);
    if (trash === null || !(await exists(trash.folder)) || !(await liesIn(o.trashRoot, trash.folder))) return false;
    await rm(trash.folder, { recursive: true, force: true });
    return true;
  });
}

/**
 * Deletes the last of a workspace: its private git folder with everything pinned there, and the
 * pin of its base. Only for a session whose whole chain is final. Throws `not_allowed` while its
 * worktree or its folder in the trash is still there.
 */
export async function forgetWorkspace(ws: Workspace): Promise<void> {
  return serialize(ws.privateGitDir, async () => {
    const trash = await readTrashRecord(ws);
    if ((await exists(ws.worktree)) || (trash !== null && (await exists(trash.folder)))) {
      throw new RunnerError(
        "not_allowed",
        `Files of session ${ws.sessionId} are still there, so nothing was forgotten.`,
      );
    }
    // The repository may be gone; then so is the pin.
    await tryGit({
      place: commonPlace(ws),
      args: ["update-ref", "--no-deref", "-d", `refs/codehands/base/${originOf(ws)}`],
    });
    await rm(ws.privateGitDir, { recursive: true, force: true });
  });
}

/** Whether a folder lies directly in a root, links in the way resolved. */
export async function liesIn(root: string, folder: string): Promise<boolean> {
  const paths = [realpath(dirname(folder)), realpath(root)].map((path) => path.catch(() => null));
  const [place, wanted] = await Promise.all(paths);
  return place !== null && place === wanted;
}
