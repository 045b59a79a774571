import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readSmallText } from "./read-small-file.ts";
import { writeDurable } from "./write-durable.ts";

const LOCK_REASON = /^codehands:(\S+) home:(\S*)$/;

/** One entry of `<common>/worktrees`, as its files say; nothing in it is trusted. */
export interface Registration {
  adminDir: string;
  /** The worktree folder it names. */
  worktree: string;
  /** The branch it has checked out, as a full ref name; null when detached. */
  headRef: string | null;
  headCommit: string | null;
  owner: { sessionId: string; homeId: string } | null;
}

/** Every registered worktree of a repository, read as plain files so that no git looks into a tree. */
export async function listRegistrations(commonDir: string): Promise<Registration[]> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => [] as string[]);
  return (await Promise.all(names.map((name) => readRegistration(join(folder, name))))).filter(
    (entry) => entry !== null,
  );
}

async function readRegistration(adminDir: string): Promise<Registration | null> {
  const [gitdir, reason, head] = await Promise.all([
    readSmallText(join(adminDir, "gitdir")),
    readSmallText(join(adminDir, "locked")),
    readHead(adminDir),
  ]);
  if (gitdir === null || !gitdir.endsWith("/.git")) return null;
  const mark = LOCK_REASON.exec(reason ?? "");
  return {
    adminDir,
    worktree: gitdir.slice(0, -"/.git".length),
    ...head,
    owner: mark === null ? null : { sessionId: mark[1] ?? "", homeId: mark[2] ?? "" },
  };
}

/** The HEAD of a git folder, without asking git. */
export async function readHead(gitDir: string): Promise<{ headRef: string | null; headCommit: string | null }> {
  const text = await readSmallText(join(gitDir, "HEAD"));
  const ref = /^ref: (refs\/\S+)$/.exec(text ?? "")?.[1] ?? null;
  return { headRef: ref, headCommit: /^[0-9a-f]{40,64}$/.test(text ?? "") ? text : null };
}

/** The registration of exactly this worktree folder. */
export async function findRegistration(commonDir: string, worktree: string): Promise<Registration | null> {
  return (await listRegistrations(commonDir)).find((entry) => entry.worktree === worktree) ?? null;
}

/** Marks a registration as ours; git keeps a locked one when it prunes. */
export async function lockRegistration(adminDir: string, owner: { sessionId: string; homeId: string }): Promise<void> {
  await writeDurable(join(adminDir, "locked"), `codehands:${owner.sessionId} home:${owner.homeId}\n`);
}

/**
 * Drops one registration whose worktree folder is gone. Keeps it, and says so with false, while
 * the folder is there: the caller decides by moving the folder, never by forcing.
 */
export async function dropRegistration(registration: Registration): Promise<boolean> {
  if (await exists(registration.worktree)) return false;
  await rm(registration.adminDir, { recursive: true, force: true });
  // As git does: the last one takes the folder with it; any other content keeps it.
  await rmdir(join(registration.adminDir, "..")).catch(() => undefined);
  return true;
}

/**
 * The folder in which another worktree has this branch checked out: moving the branch there would
 * make the person's own files look changed. Null when there is none.
 */
export async function checkedOutElsewhere(o: {
  commonDir: string;
  worktree: string;
  branch: string;
}): Promise<string | null> {
  const ref = `refs/heads/${o.branch}`;
  const main = await readHead(o.commonDir);
  if (main.headRef === ref) return basename(o.commonDir) === ".git" ? join(o.commonDir, "..") : o.commonDir;
  const other = (await listRegistrations(o.commonDir)).find(
    (entry) => entry.headRef === ref && entry.worktree !== o.worktree,
  );
  return other !== undefined && (await exists(other.worktree)) ? other.worktree : null;
}

/** Whether anything lies at a path; a dangling link counts. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
