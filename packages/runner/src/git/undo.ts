import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CrashPoint } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { ensurePointer, ensureRegistration } from "./ensure-registration.ts";
import { liesIn } from "./forget-workspace.ts";
import { baseIndexOf, indexOf, treePlace } from "./git-environment.ts";
import { readMarker, writeMarker } from "./owner-marker.ts";
import { pinned } from "./pin-commits.ts";
import { copyIndex } from "./private-git-dir.ts";
import { treeOf } from "./read-tree.ts";
import { exists } from "./registration.ts";
import { runGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { readTrashRecord, type TrashRecord, writeTrashRecord } from "./trash-record.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord, recordFolder, type WorkspaceRecord } from "./workspace-record.ts";
import { syncFolder, writeDurable } from "./write-durable.ts";

export interface Restored {
  /** "folder" brings back every byte; "snapshot" what git keeps of it. */
  restored: "folder" | "snapshot";
  /** What could not be brought back, as names and phrases for people. */
  lost: string[];
}

/** What a tree object cannot hold, whatever the worktree had. */
const LOST_BY_GIT = "empty folders, pipes, sockets, and file permissions other than the executable bit";

/**
 * Brings a workspace back from the trash to its old place: the kept folder, or else the pinned
 * content. Throws `trash_gone` when neither is left. Every step can be repeated.
 */
export async function restoreWorkspace(
  ws: Workspace,
  o: { trashRoot: string },
  crashPoint: CrashPoint = () => {},
): Promise<Restored> {
  return serialize(ws.privateGitDir, async () => {
    const [record, trash] = [await readRecord(ws), await readTrashRecord(ws)];
    if (trash?.restored && (await exists(ws.worktree))) {
      await rm(checkoutMark(ws), { force: true });
      return { restored: trash.restored, lost: trash.lost };
    }
    const commit = trash === null ? null : await pinned(ws, trash.ref);
    // Only below the trash: a record must not make us move another folder.
    const hasFolder = trash !== null && (await exists(trash.folder)) && (await liesIn(o.trashRoot, trash.folder));
    const isBack = trash !== null && !hasFolder && (await isOurs(ws, record));
    if (trash === null || (!hasFolder && !isBack && commit === null)) {
      throw new RunnerError(
        "trash_gone",
        "Its folder and its pinned content are no longer in the trash, so it cannot be brought back.",
      );
    }
    await claimPlace(ws, record, hasFolder);
    await crashPoint("undo.after-marker");
    const adminDir = await serialize(ws.commonDir, () => ensureRegistration(ws, record));
    await crashPoint("undo.after-register");
    const begun = await restoreFiles(ws, { trash, adminDir, hasFolder, commit }, crashPoint);
    await copyIndex(baseIndexOf(ws), join(adminDir, "index"));
    await crashPoint("undo.after-index");
    await writeTrashRecord(ws, { ...trash, ...begun });
    await crashPoint("undo.after-record");
    await rm(checkoutMark(ws), { force: true });
    return begun;
  });
}

interface Source {
  trash: TrashRecord;
  adminDir: string;
  hasFolder: boolean;
  commit: string | null;
}

async function restoreFiles(ws: Workspace, source: Source, crashPoint: CrashPoint): Promise<Restored> {
  const { trash, adminDir, hasFolder, commit } = source;
  if (hasFolder) {
    // The agent may have left anything as `.git`: it is never followed.
    await ensurePointer(ws, { folder: trash.folder, adminDir });
    await crashPoint("undo.after-pointer");
    await rename(trash.folder, ws.worktree);
    await syncFolder(dirname(ws.worktree));
    await crashPoint("undo.after-rename");
    return { restored: "folder", lost: [] };
  }
  const isCheckout = await exists(checkoutMark(ws));
  if (!isCheckout && (await exists(ws.worktree))) return { restored: "folder", lost: [] };
  await writeDurable(checkoutMark(ws), "");
  await crashPoint("undo.after-checkout-mark");
  await mkdir(ws.worktree, { recursive: true });
  await ensurePointer(ws, { folder: ws.worktree, adminDir });
  await rm(indexOf(ws), { force: true });
  await runGit({
    place: treePlace(ws),
    args: ["read-tree", "--reset", "-u", await treeOf(ws, commit ?? ws.baseCommit)],
  });
  await crashPoint("undo.after-checkout");
  return { restored: "snapshot", lost: [...trash.onlyInFolder, LOST_BY_GIT] };
}

/** While this file exists, the worktree at its place is a half-written checkout of ours. */
function checkoutMark(ws: Workspace): string {
  return join(recordFolder(ws.privateGitDir), `restoring-${ws.sessionId}`);
}

async function isOurs(ws: Workspace, record: WorkspaceRecord): Promise<boolean> {
  const marker = await readMarker(ws.worktree);
  return marker?.homeId === record.homeId && marker.sessionId === record.sessionId && (await exists(ws.worktree));
}

/** Marks the place as ours. Throws `not_allowed` when something else lies there; only an empty folder gives way. */
async function claimPlace(ws: Workspace, record: WorkspaceRecord, hasFolder: boolean): Promise<void> {
  const isFree =
    !(await exists(ws.worktree)) || (await isEmpty(ws.worktree)) || (!hasFolder && (await isOurs(ws, record)));
  if (!isFree) {
    throw new RunnerError(
      "not_allowed",
      `${ws.worktree} is taken by other files. Move them away and undo again. Nothing was changed.`,
    );
  }
  await mkdir(dirname(ws.worktree), { recursive: true, mode: 0o700 });
  const { homeId, sessionId } = record;
  await writeMarker(ws.worktree, { homeId, sessionId, privateGitDir: ws.privateGitDir });
}

async function isEmpty(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length === 0,
    () => false,
  );
}
