import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { commonPlace } from "./git-environment.ts";
import { branchTip } from "./pin-commits.ts";
import { readSmallText } from "./read-small-file.ts";
import { checkedOutElsewhere, exists, findRegistration, lockRegistration, readHead } from "./registration.ts";
import { tryGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";
import { recordFolder, type WorkspaceRecord } from "./workspace-record.ts";
import { writeDurable } from "./write-durable.ts";

/**
 * Makes sure that the repository knows our worktree: its registration, lock and branch. Written
 * as the plain files that git reads, because git itself would make the folder anew. Returns the
 * registration's folder. Safe to repeat.
 */
export async function ensureRegistration(ws: Workspace, record: WorkspaceRecord): Promise<string> {
  const found = await findRegistration(ws.commonDir, ws.worktree);
  const adminDir = found?.adminDir ?? (await makeAdminDir(ws));
  if ((await readSmallText(join(adminDir, "commondir"))) !== "../..") {
    await replaceFile(join(adminDir, "commondir"), "../..\n");
  }
  const head = await readHead(adminDir);
  if (head.headRef === null && head.headCommit === null) await replaceFile(join(adminDir, "HEAD"), await freshHead(ws));
  if (found?.owner?.homeId !== record.homeId) await lockRegistration(adminDir, record);
  return adminDir;
}

/** The folder's own `.git` file points to its registration; whatever else lay there is kept in the private git folder. */
export async function ensurePointer(ws: Workspace, o: { folder: string; adminDir: string }): Promise<void> {
  const pointer = join(o.folder, ".git");
  const wanted = `gitdir: ${o.adminDir}`;
  if ((await readSmallText(pointer)) === wanted) return;
  if (await exists(pointer))
    await rename(pointer, await freePlace(join(recordFolder(ws.privateGitDir), "replaced-git")));
  await writeFile(pointer, `${wanted}\n`, { flag: "wx" });
}

async function makeAdminDir(ws: Workspace): Promise<string> {
  await mkdir(join(ws.commonDir, "worktrees"), { recursive: true });
  const wanted = join(ws.commonDir, "worktrees", basename(ws.worktree));
  for (let n = 0; ; n += 1) {
    const adminDir = n === 0 ? wanted : `${wanted}${n}`;
    // A half-made one of ours names no other worktree: without `gitdir` no git counts it.
    if ((await exists(adminDir)) && (await exists(join(adminDir, "gitdir")))) continue;
    await mkdir(adminDir, { recursive: true });
    await replaceFile(join(adminDir, "commondir"), "../..\n");
    await replaceFile(join(adminDir, "HEAD"), await freshHead(ws));
    await replaceFile(join(adminDir, "gitdir"), `${ws.worktree}/.git\n`);
    return adminDir;
  }
}

/** The session's branch, made at the base when it is gone; the bare base while another checkout has the branch. */
async function freshHead(ws: Workspace): Promise<string> {
  if ((await checkedOutElsewhere(ws)) !== null) return `${ws.baseCommit}\n`;
  if ((await branchTip(ws)) === null) {
    const zero = "0".repeat(ws.baseCommit.length);
    const args = ["update-ref", "--no-deref", `refs/heads/${ws.branch}`, ws.baseCommit, zero];
    const made = await tryGit({ place: commonPlace(ws), args });
    if (made.exitCode !== 0) return `${ws.baseCommit}\n`;
  }
  return `ref: refs/heads/${ws.branch}\n`;
}

async function replaceFile(path: string, text: string): Promise<void> {
  // Something else than a file may have been put there.
  await rm(path, { recursive: true, force: true });
  await writeDurable(path, text);
}

async function freePlace(wanted: string): Promise<string> {
  for (let n = 1; ; n += 1) if (!(await exists(`${wanted}-${n}`))) return `${wanted}-${n}`;
}
