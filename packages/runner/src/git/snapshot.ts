import type { CrashPoint } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { DURABLE_WORDS, privatePlace } from "./git-environment.ts";
import { copyObjects, pin, pinAgentCommits, pinned } from "./pin-commits.ts";
import { pinnedContent, snapshotRef } from "./pinned-content.ts";
import { OUR_IDENTITY } from "./read-person-config.ts";
import { readTreeBytes, type TreeBytes, treeOf } from "./read-tree.ts";
import { gitLine } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Pins the worktree's content and the agent's own commits in the private git folder, on the disk
 * before it returns. When the worktree is gone, the snapshot that is pinned already is the answer.
 */
export async function snapshotWorkspace(
  ws: Workspace,
  crashPoint: CrashPoint = () => {},
): Promise<{ treeId: string; ref: string }> {
  return serialize(ws.privateGitDir, async () => {
    const ref = snapshotRef(ws);
    try {
      const { treeId } = await readAndPin(ws, ref);
      await crashPoint("snapshot.after-pin");
      await pinAgentCommits(ws);
      await crashPoint("snapshot.after-agent-commits");
      return { treeId, ref };
    } catch (error) {
      if (!(error instanceof RunnerError) || error.code !== "worktree_missing") throw error;
      const held = await pinnedContent(ws);
      if (held === null) throw error;
      await pin(ws, ref, held);
      return { treeId: await treeOf(ws, held), ref };
    }
  });
}

/** Reads the tree and pins it; once more when a gc in the repository took objects in between. */
export async function readAndPin(ws: Workspace, ref: string): Promise<TreeBytes> {
  const tree = await readTreeBytes(ws);
  try {
    await pinTree(ws, { treeId: tree.treeId, ref });
    return tree;
  } catch (error) {
    if (!(error instanceof RunnerError) || error.code !== "git_failed") throw error;
    const again = await readTreeBytes(ws);
    await pinTree(ws, { treeId: again.treeId, ref });
    return again;
  }
}

/** Makes a commit of a tree on top of the base and points a private ref at it. The same tree gives the same commit. */
async function pinTree(ws: Workspace, o: { treeId: string; ref: string }): Promise<string> {
  const date = "@0 +0000";
  const commit = await gitLine({
    place: privatePlace(ws),
    args: [...DURABLE_WORDS, "commit-tree", o.treeId, "-p", ws.baseCommit, "-m", "Code Hands: pinned content"],
    env: {
      GIT_AUTHOR_NAME: OUR_IDENTITY.name,
      GIT_AUTHOR_EMAIL: OUR_IDENTITY.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: OUR_IDENTITY.name,
      GIT_COMMITTER_EMAIL: OUR_IDENTITY.email,
      GIT_COMMITTER_DATE: date,
    },
  });
  const before = await pinned(ws, o.ref);
  if (before === commit) return commit;
  await copyObjects(ws, [commit], before === null ? [] : [before]);
  await pin(ws, o.ref, commit);
  return commit;
}
