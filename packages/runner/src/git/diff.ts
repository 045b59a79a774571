import type { Diff, DiffFile } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { displayPath, splitNul } from "./byte-paths.ts";
import { attribute, blobSizes } from "./find-filtered.ts";
import { changedSince } from "./fingerprint.ts";
import { baseIndexOf, privatePlace, treePlace } from "./git-environment.ts";
import { isGenerated } from "./is-generated.ts";
import { type CountedChange, countChanges, DIFF_WORDS } from "./list-changes.ts";
import { pinnedContent } from "./pinned-content.ts";
import { PATCH_CAP_BYTES, readPatch } from "./read-patch.ts";
import { readTreeBytes, toReading, treeOf } from "./read-tree.ts";
import { exists } from "./registration.ts";
import { runGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import type { Workspace } from "./workspace.ts";

/**
 * What a review of a workspace needs: the patch from the base to the tree as it is now. From the
 * pinned snapshot when the worktree is gone. Throws `worktree_missing` when both are gone.
 */
export async function diffWorkspace(ws: Workspace): Promise<Diff> {
  const seen = await readNow(ws);
  const { treeId } = seen;
  const changes = await countChanges(ws, treeId);
  const [patch, stat, files, configChanged] = await Promise.all([
    readPatch(ws, { treeId, changes, cap: PATCH_CAP_BYTES }),
    statText(ws, treeId),
    describe(ws, changes),
    changedSince(ws),
  ]);
  return {
    ...seen,
    patch: patch.text,
    ...(patch.truncated ? { truncated: true as const } : {}),
    stat,
    files,
    secrets: patch.secrets,
    configChanged,
  };
}

/** The size of the change from the base to a tree: git's `--stat` text and exact sums. */
export async function diffStat(
  ws: Workspace,
  treeId: string,
): Promise<{ stat: string; files: number; additions: number; deletions: number }> {
  const [stat, changes] = await Promise.all([statText(ws, treeId), countChanges(ws, treeId)]);
  const sum = (pick: (change: CountedChange) => number) => changes.reduce((total, change) => total + pick(change), 0);
  return { stat, files: changes.length, additions: sum((c) => c.additions), deletions: sum((c) => c.deletions) };
}

type Seen = Pick<Diff, "treeId" | "ignored" | "nested" | "special" | "large" | "filtered" | "fromSnapshot">;

async function readNow(ws: Workspace): Promise<Seen> {
  return serialize(ws.privateGitDir, async () => {
    try {
      const { treeId, nested, special, large, filtered } = toReading(await readTreeBytes(ws));
      return { treeId, nested, special, large, filtered, ignored: await listIgnored(ws) };
    } catch (error) {
      if (!(error instanceof RunnerError) || error.code !== "worktree_missing") throw error;
      const commit = await pinnedContent(ws);
      if (commit === null) throw error;
      return { treeId: await treeOf(ws, commit), nested: [], ignored: [], fromSnapshot: true as const };
    }
  });
}

/** Ignored paths, a wholly ignored folder as one entry. */
export async function listIgnored(ws: Workspace): Promise<string[]> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  return splitNul(await runGit({ place: treePlace(ws), args })).map(displayPath);
}

async function statText(ws: Workspace, treeId: string): Promise<string> {
  const args = [...DIFF_WORDS, "--stat=120", ws.baseCommit, treeId];
  return (await runGit({ place: privatePlace(ws), args })).toString("utf8");
}

async function describe(ws: Workspace, changes: readonly CountedChange[]): Promise<DiffFile[]> {
  const sizes = await blobSizes(
    ws,
    changes.map((change) => (change.status === "D" ? change.oldId : change.newId)),
  );
  const marked = await markedGenerated(ws, changes);
  return changes.map((change, at) => {
    const path = displayPath(change.path);
    return {
      path,
      ...(change.oldPath === undefined ? {} : { oldPath: displayPath(change.oldPath) }),
      status: change.status,
      additions: change.additions,
      deletions: change.deletions,
      binary: change.binary,
      generated: isGenerated(path) || marked.has(change.path),
      bytes: sizes[at] ?? 0,
    };
  });
}

/** Paths that the base's own attributes call generated; the agent's do not count, or it could hide a file. */
async function markedGenerated(ws: Workspace, changes: readonly CountedChange[]): Promise<ReadonlySet<string>> {
  const index = baseIndexOf(ws);
  if (changes.length === 0 || !(await exists(index))) return new Set();
  const paths = changes.map(({ path }) => path);
  const values = await attribute(ws, { name: "linguist-generated", paths, index });
  return new Set([...values].filter(([, value]) => value !== "false").map(([path]) => path));
}
