import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { CrashPoint } from "@codehands/contracts";
import { displayPath } from "./byte-paths.ts";
import { listIgnored } from "./diff.ts";
import { folderBytes } from "./folder-bytes.ts";
import { commonPlace, DURABLE_WORDS } from "./git-environment.ts";
import { readMarker, removeMarker } from "./owner-marker.ts";
import { branchTip, isKept, pin, pinAgentCommits, pinned } from "./pin-commits.ts";
import { snapshotRef, trashRef } from "./pinned-content.ts";
import { assertWorktree, toReading } from "./read-tree.ts";
import { checkedOutElsewhere, dropRegistration, exists, findRegistration } from "./registration.ts";
import { tryGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { readAndPin } from "./snapshot.ts";
import { readTrashRecord, type TrashRecord, writeTrashRecord } from "./trash-record.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord } from "./workspace-record.ts";
import { syncFolder } from "./write-durable.ts";

export interface TrashOptions {
  trashRoot: string;
  /** True after an approval: the branch holds the landed commit. */
  keepBranch: boolean;
}

export interface Trashed {
  /** Where the worktree folder lies now; null when there was none or it could not be moved. */
  folder: string | null;
  /** The ref in the private git folder that holds the content. */
  ref: string;
  /** Bytes of that folder. */
  bytes: number;
  /** The worktree folder, when it could not be moved away. */
  leftover: string | null;
}

/**
 * Puts a workspace away without deleting anything: pins its content, moves the folder into the
 * trash, drops our registration, and deletes the branch when its commit is kept. Every step can be repeated.
 */
export async function trashWorkspace(
  ws: Workspace,
  o: TrashOptions,
  crashPoint: CrashPoint = () => {},
): Promise<Trashed> {
  return serialize(ws.privateGitDir, async () => {
    const record = await prepareTrash(ws, o.trashRoot);
    await crashPoint("trash.after-pin");
    await pinAgentCommits(ws);
    await crashPoint("trash.after-agent-commits");
    await moveAway(ws, record);
    await crashPoint("trash.after-rename");
    const leftover = (await exists(ws.worktree)) ? ws.worktree : null;
    await serialize(ws.commonDir, async () => {
      if (leftover === null) await unregister(ws);
      await crashPoint("trash.after-unregister");
      if (!o.keepBranch) await deleteBranch(ws);
    });
    await crashPoint("trash.after-branch");
    const folder = (await exists(record.folder)) ? record.folder : null;
    return { folder, ref: record.ref, bytes: folder === null ? 0 : await folderBytes(folder), leftover };
  });
}

/** Pins the content once and writes down where the folder will go. */
async function prepareTrash(ws: Workspace, trashRoot: string): Promise<TrashRecord> {
  const held = await readTrashRecord(ws);
  const isDone = held !== null && held.restored === null && (await exists(held.folder));
  if (isDone || (held !== null && !(await exists(ws.worktree)))) return held;
  await mkdir(trashRoot, { recursive: true, mode: 0o700 });
  const ref = trashRef(ws);
  const onlyInFolder = await pinContent(ws, ref);
  const folder = await freeFolder(join(trashRoot, ws.sessionId));
  const record: TrashRecord = { sessionId: ws.sessionId, folder, ref, onlyInFolder, restored: null, lost: [] };
  await writeTrashRecord(ws, record);
  return record;
}

/**
 * Pins what the worktree holds; when it cannot be read, the last snapshot, else the base: the
 * folder itself goes into the trash whole. Returns the names that only the folder holds.
 */
async function pinContent(ws: Workspace, ref: string): Promise<string[]> {
  try {
    const tree = await readAndPin(ws, ref);
    const { nested, special } = toReading(tree);
    const large = tree.large.map(({ path }) => displayPath(path));
    return [...(await listIgnored(ws)), ...nested, ...special, ...large];
  } catch {
    await pin(ws, ref, (await pinned(ws, snapshotRef(ws))) ?? ws.baseCommit);
    return [];
  }
}

/** Moves the folder, when it is ours and lies on the trash's file system. A folder that stays is told as a leftover. */
async function moveAway(ws: Workspace, record: TrashRecord): Promise<void> {
  if (await exists(record.folder)) return;
  const { homeId, sessionId } = await readRecord(ws);
  const marker = await readMarker(ws.worktree);
  if (marker?.homeId !== homeId || marker.sessionId !== sessionId) return;
  try {
    await assertWorktree(ws);
    await rename(ws.worktree, record.folder);
    await syncFolder(join(record.folder, ".."));
  } catch {
    // Another file system, an immutable file, a link in its place: it stays where it is, whole.
    return;
  }
}

async function unregister(ws: Workspace): Promise<void> {
  const registration = await findRegistration(ws.commonDir, ws.worktree);
  if (registration !== null) await dropRegistration(registration);
  await removeMarker(ws.worktree);
}

/** Deletes the branch only while it is at a commit that is kept, and never under another checkout. */
async function deleteBranch(ws: Workspace): Promise<void> {
  const tip = await branchTip(ws);
  if (tip === null || !(await isKept(ws, tip)) || (await checkedOutElsewhere(ws)) !== null) return;
  await tryGit({
    place: commonPlace(ws),
    args: [...DURABLE_WORDS, "update-ref", "--no-deref", "-d", `refs/heads/${ws.branch}`, tip],
  });
}

async function freeFolder(wanted: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? wanted : `${wanted}-${n}`;
    if (!(await exists(path))) return path;
  }
}
