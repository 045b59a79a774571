import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BytePath, joinNul, pathBelow, splitNul } from "./byte-paths.ts";
import { indexOf, privatePlace, treePlace } from "./git-environment.ts";
import { lookAt } from "./list-worktree.ts";
import { exists } from "./registration.ts";
import { runGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";
import { recordFolder } from "./workspace-record.ts";

/** Remembers which paths a sparse checkout left out: their absence is no deletion. */
export async function rememberSkipped(ws: Workspace): Promise<void> {
  const lines = splitNul(await runGit({ place: treePlace(ws), args: ["ls-files", "-z", "-t"] }));
  const skipped = lines.filter((line) => line.startsWith("S ")).map((line) => line.slice(2));
  if (skipped.length > 0) await writeFile(fileOf(ws), joinNul(skipped));
}

/** The paths that a sparse checkout left out when the workspace was made. */
export async function skippedPaths(ws: Workspace): Promise<ReadonlySet<BytePath>> {
  return new Set((await exists(fileOf(ws))) ? splitNul(await readFile(fileOf(ws))) : []);
}

/**
 * Lets git look again at left-out paths that the agent has written. git does so by itself only
 * when it stands inside the tree, where ours never stands.
 */
export async function watchWritten(ws: Workspace): Promise<void> {
  const folders = new Map<BytePath, boolean>([["", true]]);
  const isThere = (path: BytePath): boolean => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    let hasParent = folders.get(parent);
    if (hasParent === undefined) {
      hasParent = isThere(parent);
      folders.set(parent, hasParent);
    }
    return hasParent && lookAt(pathBelow(ws.worktree, path)) !== null;
  };
  const written = [...(await skippedPaths(ws))].filter(isThere);
  if (written.length === 0) return;
  const args = ["update-index", "--no-skip-worktree", "-z", "--stdin"];
  await runGit({ place: treePlace(ws, indexOf(ws)), args, input: joinNul(written) });
}

/**
 * A path that a sparse checkout left out, that the agent wrote and then removed, goes back to its
 * base entry: its absence is how the tree began.
 */
export async function putBackSkipped(ws: Workspace, paths: readonly BytePath[], index: string): Promise<void> {
  if (paths.length === 0) return;
  const wanted = new Set(paths);
  const entries = await runGit({
    place: privatePlace(ws),
    args: ["ls-tree", "-z", "-r", "--full-tree", ws.baseCommit],
  });
  const lines = splitNul(entries).filter((line) => wanted.has(line.slice(line.indexOf("\t") + 1)));
  const place = treePlace(ws, index);
  await runGit({ place, args: ["update-index", "-z", "--index-info"], input: joinNul(lines) });
  await runGit({ place, args: ["update-index", "--skip-worktree", "-z", "--stdin"], input: joinNul(paths) });
}

function fileOf(ws: Workspace): string {
  return join(recordFolder(ws.privateGitDir), "skipped");
}
