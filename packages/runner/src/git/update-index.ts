import { rm } from "node:fs/promises";
import { type BytePath, joinNul } from "./byte-paths.ts";
import { baseIndexOf, indexOf, treePlace } from "./git-environment.ts";
import type { SortedPaths } from "./list-worktree.ts";
import { copyIndex } from "./private-git-dir.ts";
import { exists } from "./registration.ts";
import { runGit, tryGit } from "./run-git.ts";
import { putBackSkipped, skippedPaths } from "./sparse-paths.ts";
import type { Workspace } from "./workspace.ts";

export type IndexUpdate =
  /** `ignored`: names that git cannot hold, for example `git~1`. */
  { ok: true; ignored: BytePath[] } | { ok: false; words: string };

/** Brings the listed paths into an index of ours. A refusal is an answer: the tree may just be changing. */
export async function updateIndex(
  ws: Workspace,
  sorted: SortedPaths,
  index: string = indexOf(ws),
): Promise<IndexUpdate> {
  const place = treePlace(ws, index);
  const { add } = sorted;
  const skipped = await skippedPaths(ws);
  const remove = sorted.remove.filter((path) => !skipped.has(path));
  if (add.length + sorted.remove.length === 0) return { ok: true, ignored: [] };
  // Exit code 1 says that something is out of date, which is why we are here.
  await tryGit({ place, args: ["update-index", "-q", "--refresh"] });
  if (remove.length > 0) {
    const answer = await tryGit({
      place,
      args: ["update-index", "--force-remove", "-z", "--stdin"],
      input: joinNul(remove),
    });
    if (answer.exitCode !== 0) return { ok: false, words: answer.stderr };
  }
  const unwritten = sorted.remove.filter((path) => skipped.has(path));
  await putBackSkipped(ws, unwritten, index);
  if (add.length === 0) return { ok: true, ignored: [] };
  const answer = await tryGit({
    place,
    args: ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"],
    input: joinNul(add),
  });
  return answer.exitCode === 0
    ? { ok: true, ignored: ignoredIn(answer.stderr, add) }
    : { ok: false, words: answer.stderr };
}

/** git passes over a name it cannot hold and only says so on stderr. */
function ignoredIn(stderr: string, add: readonly BytePath[]): BytePath[] {
  if (!stderr.includes("Ignoring path ")) return [];
  const said = Buffer.from(stderr, "utf8").toString("latin1");
  return add.filter((path) => said.includes(`Ignoring path ${path}\n`));
}

/** Sets the session's index back to the one from before the agent, so that every other file is hashed anew. */
export async function copyFrozenIndex(ws: Workspace): Promise<void> {
  const index = indexOf(ws);
  await rm(index, { force: true });
  if (await exists(baseIndexOf(ws))) await copyIndex(baseIndexOf(ws), index);
  else await runGit({ place: treePlace(ws), args: ["read-tree", ws.baseCommit] });
}
