import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BytePath, splitNul } from "./byte-paths.ts";
import { baseIndexOf, indexOf, privatePlace, treePlace } from "./git-environment.ts";
import { copyIndex } from "./private-git-dir.ts";
import type { Registration } from "./registration.ts";
import { runGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Writes the base's files with our own git folder, so that no filter or hook of the repository
 * runs, and gives the agent's git the same index.
 */
export async function checkOut(ws: Workspace, registration: Registration): Promise<void> {
  await rm(indexOf(ws), { force: true });
  await runGit({ place: treePlace(ws), args: ["read-tree", "-m", "-u", ws.baseCommit] });
  await copyIndex(indexOf(ws), baseIndexOf(ws));
  await copyIndex(indexOf(ws), join(registration.adminDir, "index"));
}

/** Number of paths in the base and its submodules. */
export async function countBase(ws: Workspace): Promise<{ basePaths: number; gitlinks: BytePath[] }> {
  const lines = splitNul(await runGit({ place: privatePlace(ws), args: ["ls-tree", "-r", "-z", ws.baseCommit] }));
  const gitlinks = lines.filter((line) => line.startsWith("160000 ")).map((line) => line.slice(line.indexOf("\t") + 1));
  return { basePaths: lines.length, gitlinks };
}
