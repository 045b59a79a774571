import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type BytePath, pathBelow, splitNul } from "./byte-paths.ts";
import { treePlace } from "./git-environment.ts";
import { gitFailure, tryGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";

/** A file above this many bytes is left out until the person says otherwise. */
export const LARGE_BYTES = 50 * 1024 ** 2;

/** What git says about the tree against our index, sorted by what can be done with it. */
export interface SortedPaths {
  add: BytePath[];
  remove: BytePath[];
  /** Repositories inside the tree: their files are not ours to take. */
  nested: BytePath[];
  /** Fifos, sockets, devices and files we may not read. */
  special: BytePath[];
  large: { path: BytePath; bytes: number }[];
}

interface Listed {
  path: BytePath;
  /** Absent, though the index has it. */
  gone: boolean;
}

/** Lists new, changed and deleted paths of the agent's tree and sorts them. Opens no file and starts no filter. */
export async function listWorktree(ws: Workspace, gitlinks: ReadonlySet<BytePath>): Promise<SortedPaths> {
  const args = ["ls-files", "-z", "-t", "-o", "-m", "-d", "--exclude-standard"];
  const answer = await tryGit({ place: treePlace(ws), args });
  if (answer.exitCode !== 0) throw gitFailure(args, answer);
  const listed = new Map<BytePath, boolean>();
  for (const entry of splitNul(answer.stdout)) {
    const path = entry.slice(2);
    listed.set(path, entry.startsWith("R ") || (listed.get(path) ?? false));
  }
  const items = [...listed].map(([path, gone]) => ({ path, gone }));
  const sorted = await sortPaths(ws.worktree, items, gitlinks);
  return { ...sorted, special: [...sorted.special, ...closedFolders(answer.stderr)] };
}

/** Folders that we may not look into: git only warns, and what lies there would be missing in silence. */
function closedFolders(stderr: string): BytePath[] {
  const found = stderr.matchAll(/^warning: could not open directory '(.+)': /gm);
  return [...found].map((match) => Buffer.from(match[1] ?? "").toString("latin1"));
}

/** Looks at each path itself, never at what a link points to, in turns that leave room for other work. */
async function sortPaths(
  worktree: string,
  listed: readonly Listed[],
  gitlinks: ReadonlySet<BytePath>,
): Promise<SortedPaths> {
  const sorted: SortedPaths = { add: [], remove: [], nested: [], special: [], large: [] };
  for (const [at, item] of listed.entries()) {
    if (at % 500 === 499) await nextTurn();
    if (item.path.endsWith("/") || gitlinks.has(item.path)) sorted.nested.push(item.path);
    else sortOne(sorted, worktree, item);
  }
  return sorted;
}

/** Puts one path that is no repository into its place. */
export function sortOne(sorted: SortedPaths, worktree: string, item: Listed): void {
  const place = pathBelow(worktree, item.path);
  const found = lookAt(place);
  // What we may not look at is not gone, although git counts it so.
  if (found === "denied") sorted.special.push(item.path);
  else if (item.gone || found === null || found.isDirectory()) sorted.remove.push(item.path);
  else if (found.isSymbolicLink()) sorted.add.push(item.path);
  else if (!found.isFile() || !isReadable(place)) sorted.special.push(item.path);
  else if (found.size > LARGE_BYTES) sorted.large.push({ path: item.path, bytes: found.size });
  else sorted.add.push(item.path);
}

/** What lies at a place, never what a link there points to; null when nothing does. */
export function lookAt(place: Buffer): Stats | "denied" | null {
  try {
    return lstatSync(place);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "denied" : null;
  }
}

function isReadable(place: Buffer): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
