import type { Dirent } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { RunnerError } from "../runner-error.ts";
import { type BytePath, joinNul, pathBelow, splitNul } from "./byte-paths.ts";
import { indexOf, treePlace } from "./git-environment.ts";
import { type SortedPaths, sortOne } from "./list-worktree.ts";
import { copyIndex } from "./private-git-dir.ts";
import { sideIndexOf } from "./read-tree.ts";
import { gitFailure, gitLine, tryGit } from "./run-git.ts";
import { updateIndex } from "./update-index.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The tree with more in it than a plain reading takes: the files of nested repositories, and large
 * files. A submodule of the base keeps its pointer: its work belongs to another repository.
 * Built in an index of its own, so that later readings stay plain.
 */
export async function takeIn(
  ws: Workspace,
  o: { nested: readonly BytePath[]; large: readonly BytePath[]; allowLarge: boolean },
): Promise<string> {
  const index = sideIndexOf(ws, "approve");
  await rm(`${index}.lock`, { force: true });
  await copyIndex(indexOf(ws), index);
  const sorted: SortedPaths = { add: [...o.large], remove: [], nested: [], special: [], large: [] };
  for (const folder of o.nested.filter((path) => path.endsWith("/"))) {
    for (const path of await filesBelow(ws, folder)) sortOne(sorted, ws.worktree, { path, gone: false });
  }
  if (sorted.large.length > 0 && !o.allowLarge) {
    throw new RunnerError(
      "large_file",
      "A nested repository holds files over 50 MB. Allow large files. Nothing was changed.",
    );
  }
  const updated = await updateIndex(
    ws,
    { ...sorted, add: [...sorted.add, ...sorted.large.map(({ path }) => path)] },
    index,
  );
  if (!updated.ok) {
    throw new RunnerError(
      "still_changing",
      `The files are still changing, so they could not be taken in: ${updated.words.trim()}`,
    );
  }
  return gitLine({ place: treePlace(ws, index), args: ["write-tree"] });
}

/** Every file below a folder that no ignore rule names; git's own folders are passed over. */
async function filesBelow(ws: Workspace, folder: BytePath): Promise<BytePath[]> {
  const files: BytePath[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await entriesOf(ws, next)) {
      const name = entry.name.toString("latin1");
      if (name.toLowerCase() === ".git") continue;
      if (entry.isDirectory()) open.push(`${next}${name}/`);
      else files.push(`${next}${name}`);
    }
  }
  if (files.length === 0) return [];
  const ignored = await ignoredAmong(ws, files);
  return files.filter((path) => !ignored.has(path));
}

/** Those paths that an ignore rule of ours, the person's or the tree's names. */
async function ignoredAmong(ws: Workspace, files: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  const call = {
    place: treePlace(ws),
    args: ["check-ignore", "-z", "--stdin"],
    // This command knows no literal paths, and `./` takes the magic out of a leading colon.
    env: { GIT_LITERAL_PATHSPECS: "0" },
    input: joinNul(files.map((path) => `./${path}`)),
  };
  const answer = await tryGit(call);
  // 1 says that none is ignored.
  if (answer.exitCode > 1) throw gitFailure(call.args, answer);
  return new Set(splitNul(answer.stdout).map((path) => path.slice(2)));
}

async function entriesOf(ws: Workspace, folder: BytePath): Promise<Dirent<Buffer>[]> {
  return readdir(pathBelow(ws.worktree, folder), { withFileTypes: true, encoding: "buffer" });
}
