import { lstat, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { RunnerError } from "../runner-error.ts";
import { type BytePath, displayPath } from "./byte-paths.ts";
import { findFiltered } from "./find-filtered.ts";
import { indexOf, treePlace } from "./git-environment.ts";
import { type Change, hasBlobs, listChanges } from "./list-changes.ts";
import { listWorktree, type SortedPaths } from "./list-worktree.ts";
import { exists } from "./registration.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import { gitLine } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { watchWritten } from "./sparse-paths.ts";
import { copyFrozenIndex, updateIndex } from "./update-index.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord, type WorkspaceRecord } from "./workspace-record.ts";

/** The content of an agent's tree and what could not or must not be part of it. Paths are for display. */
export interface TreeReading {
  treeId: string;
  /** Repositories inside the tree, and submodules that differ from the base. */
  nested: string[];
  /** Fifos, sockets, devices, unreadable files and names git cannot hold. */
  special: string[];
  /** Files over 50 MB. */
  large: { path: string; bytes: number }[];
  /** Changed paths whose attributes name a filter: what lies in the tree is not what belongs in a commit. */
  filtered: string[];
  /** How many paths the base has and how many of them are gone, moved ones not counted. */
  shrunk: { base: number; gone: number };
}

/** A reading with its paths as bytes and its changes. */
export interface TreeBytes extends SortedPaths {
  treeId: string;
  changes: Change[];
  filtered: BytePath[];
  record: WorkspaceRecord;
}

const ATTEMPTS = 5;

/**
 * Reads the agent's tree into objects of the private git folder without running anything that the
 * tree or the repository names. Throws `worktree_missing` and `still_changing`.
 */
export async function readTree(ws: Workspace): Promise<TreeReading> {
  return toReading(await serialize(ws.privateGitDir, () => readTreeBytes(ws)));
}

/** A reading in the form for people. */
export function toReading(tree: TreeBytes): TreeReading {
  return {
    treeId: tree.treeId,
    nested: tree.nested.map(displayPath),
    special: tree.special.map(displayPath),
    large: tree.large.map(({ path, bytes }) => ({ path: displayPath(path), bytes })),
    filtered: tree.filtered.map(displayPath),
    shrunk: { base: tree.record.basePaths, gone: tree.changes.filter((change) => change.status === "D").length },
  };
}

/** `readTree` for a caller that holds the workspace's turn. */
export async function readTreeBytes(ws: Workspace): Promise<TreeBytes> {
  const record = await readRecord(ws);
  await assertWorktree(ws);
  let read = await readIntoIndex(ws, record);
  let changes = await wholeChanges(ws, read.treeId);
  if (changes === null) {
    // A gc in the repository took objects that our index still believes in: hash all files anew.
    await copyFrozenIndex(ws);
    read = await readIntoIndex(ws, record);
    changes = await listChanges(ws, read.treeId);
  }
  const filtered = await findFiltered(ws, { changes, index: indexOf(ws) });
  return { ...read.sorted, treeId: read.treeId, changes, filtered, record };
}

/** The changes of a tree whose objects are all there, else null. */
async function wholeChanges(ws: Workspace, treeId: string): Promise<Change[] | null> {
  try {
    const changes = await listChanges(ws, treeId);
    return (await hasBlobs(ws, changes)) ? changes : null;
  } catch (error) {
    if (error instanceof RunnerError && error.code === "git_failed") return null;
    throw error;
  }
}

/** Throws `worktree_missing` unless the worktree is the very folder that was made: never a link to another place. */
export async function assertWorktree(ws: Workspace): Promise<void> {
  const found = await lstat(ws.worktree).catch(() => null);
  const real = await realpath(ws.worktree).catch(() => null);
  if (found?.isDirectory() && real === ws.worktree) return;
  throw new RunnerError("worktree_missing", `The worktree ${ws.worktree} is gone. What was pinned of it is kept.`);
}

interface IndexedTree {
  treeId: string;
  sorted: SortedPaths;
}

async function readIntoIndex(ws: Workspace, record: WorkspaceRecord): Promise<IndexedTree> {
  const gitlinks = new Set(record.gitlinks);
  await clearStaleLock(ws);
  if (!(await exists(indexOf(ws)))) await copyFrozenIndex(ws);
  let words = "";
  let isFresh = false;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const read = await readOnce(ws, gitlinks);
    if (typeof read !== "string") return read;
    words = read.trim();
    if (/No space left|quota exceeded/i.test(words)) {
      await removeUnfinished(ws.privateGitDir);
      const text = `The disk is full, so the tree could not be read: ${words} The worktree is kept.`;
      throw new RunnerError("disk_full", text);
    }
    if (/invalid object|unable to read|index file|bad index|bad signature/.test(words) && !isFresh) {
      // A gc in the repository took blobs that our index believed in, or the index is damaged: hash all files anew.
      await copyFrozenIndex(ws);
      isFresh = true;
    } else {
      await wait(25 * attempt);
    }
  }
  throw new RunnerError(
    "still_changing",
    `The files in ${ws.worktree} are still changing, so they could not be read as a whole. Stop what writes there and try again. git said: ${words}`,
  );
}

/** One try; git's words when it did not work out, because the tree may just be changing. */
async function readOnce(ws: Workspace, gitlinks: ReadonlySet<BytePath>): Promise<IndexedTree | string> {
  try {
    await watchWritten(ws);
    const sorted = await listWorktree(ws, gitlinks);
    const updated = await updateIndex(ws, sorted);
    if (!updated.ok) return updated.words;
    const treeId = await gitLine({ place: treePlace(ws), args: ["write-tree"] });
    return { treeId, sorted: { ...sorted, special: [...sorted.special, ...updated.ignored] } };
  } catch (error) {
    if (error instanceof RunnerError && error.code === "git_failed") return error.message;
    throw error;
  }
}

/** A lock in our own git folder is left by a git of ours that was killed; one that is still at work gets a moment. */
async function clearStaleLock(ws: Workspace): Promise<void> {
  const lock = `${indexOf(ws)}.lock`;
  for (let turn = 0; turn < 40 && (await exists(lock)); turn += 1) await wait(50);
  await rm(lock, { force: true });
}

/** The tree id of a commit in the private git folder. */
export async function treeOf(ws: Workspace, commit: string): Promise<string> {
  return gitLine({ place: treePlace(ws), args: ["rev-parse", "--verify", "-q", `${commit}^{tree}`] });
}

/** Where an index that must not disturb the session's own lies. */
export function sideIndexOf(ws: Workspace, name: string): string {
  return join(ws.privateGitDir, `index.${name}`);
}
