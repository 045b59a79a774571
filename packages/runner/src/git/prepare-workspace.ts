import { mkdir, realpath, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { CrashPoint, EndReason } from "@codehands/contracts";
import { repoKey as findRepoKey, keyOf } from "../repo-key.ts";
import { RunnerError } from "../runner-error.ts";
import { branchName } from "./branch-name.ts";
import { checkOut, countBase } from "./check-out.ts";
import { chooseWorktree } from "./choose-worktree.ts";
import { clearPreparation } from "./clear-preparation.ts";
import { fetchMissing } from "./fetch-missing.ts";
import { takeFingerprint } from "./fingerprint.ts";
import { commonPlace } from "./git-environment.ts";
import { inspectRepo, type Refused, type RepoView, unsupported } from "./inspect-repo.ts";
import { writeMarker } from "./owner-marker.ts";
import { makeFolders, makePrivateGitDir } from "./private-git-dir.ts";
import { type PersonConfig, readPersonConfig } from "./read-person-config.ts";
import { branchBlocked, registerWorktree } from "./register-worktree.ts";
import { exists } from "./registration.ts";
import { runGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { rememberSkipped } from "./sparse-paths.ts";
import type { Workspace } from "./workspace.ts";
import { findRecord, type WorkspaceRecord, writeRecord } from "./workspace-record.ts";

export interface PrepareOptions {
  sessionId: string;
  repoPath: string;
  prompt: string;
  /** The commit to start from; HEAD when absent. */
  base?: string;
  worktreeRoot: string;
  privateGitRoot: string;
  /** Names our own home, so that two homes never clean up after each other. */
  homeId: string;
}

export type Prepared =
  | { ok: true; workspace: Workspace; repoKey: string; baseRef: string | null }
  | { ok: false; reason: EndReason; detail: string };

const SAFE_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * Makes a session's private worktree, branch and git folder. Called again for the same session it
 * returns what is there, or starts clean when an earlier call died half-way. On failure everything
 * it made is taken back. Never touches the person's checkout, index, HEAD, configuration or hooks.
 */
export async function prepareWorkspace(o: PrepareOptions, crashPoint: CrashPoint = () => {}): Promise<Prepared> {
  if (!SAFE_ID.test(o.sessionId)) throw new RunnerError("internal", `"${o.sessionId}" is not a session id.`);
  try {
    await mkdir(o.privateGitRoot, { recursive: true, mode: 0o700 });
    const privateGitRoot = await realpath(o.privateGitRoot);
    const privateGitDir = join(privateGitRoot, o.sessionId);
    return await serialize(privateGitDir, async () => {
      const held = await findRecord(privateGitDir);
      if (held?.state === "ready") return heldWorkspace(privateGitDir, held);
      if (held !== null) await serialize(held.commonDir, () => clearPreparation(privateGitDir, held));
      return await prepareNew({ ...o, privateGitRoot, privateGitDir }, crashPoint);
    });
  } catch (error) {
    return failed(error, await isDiskFull([o.worktreeRoot, o.privateGitRoot]));
  }
}

type Preparation = PrepareOptions & { privateGitDir: string };

async function prepareNew(o: Preparation, crashPoint: CrashPoint): Promise<Prepared> {
  const repo = await inspectRepo(o.repoPath, o.base);
  if (!repo.ok) return repo;
  const person = await readPersonConfig(repo.repoPath);
  const refStorage = person.all.get("extensions.refstorage") ?? "files";
  if (refStorage !== "files")
    return unsupported(`${repo.repoPath} keeps its refs as "${refStorage}", which cannot be worked with yet.`);
  const origin = person.all.get("remote.origin.url");
  const repoKey = origin === undefined ? await findRepoKey(repo.repoPath) : keyOf(origin);
  const missing = await fetchMissing({ ...repo, privateGitDir: o.privateGitDir, person });
  if (missing !== null) return unsupported(missing);
  await makeFolders(o.privateGitDir);
  let record: WorkspaceRecord | null = null;
  try {
    const opened = await open({ ...o, repo, person, repoKey }, crashPoint);
    if ("ok" in opened) {
      await rm(o.privateGitDir, { recursive: true, force: true });
      return opened;
    }
    record = opened;
    return await finish({ o, repo, person, record }, crashPoint);
  } catch (error) {
    record ??= await findRecord(o.privateGitDir);
    if (record !== null) {
      const begun = record;
      await serialize(begun.commonDir, () => clearPreparation(o.privateGitDir, begun));
    }
    await rm(o.privateGitDir, { recursive: true, force: true });
    throw error;
  }
}

/** Writes down what will be made, before it is made. */
async function open(
  o: Preparation & { repo: RepoView; person: PersonConfig; repoKey: string },
  crashPoint: CrashPoint,
): Promise<WorkspaceRecord | Refused> {
  const { repo, person, repoKey, sessionId, homeId } = o;
  return serialize(repo.commonDir, async () => {
    const branch = branchName(o.prompt, sessionId);
    const worktree = await chooseWorktree({ ...o, commonDir: repo.commonDir });
    const record: WorkspaceRecord = {
      version: 1,
      state: "preparing",
      homeId,
      sessionId,
      repoPath: repo.repoPath,
      repoKey,
      commonDir: repo.commonDir,
      worktree,
      branch,
      base: repo.base,
      baseRef: repo.baseRef,
      identity: person.identity,
      basePaths: 0,
      gitlinks: [],
      fingerprint: {},
    };
    const blocked = await branchBlocked(commonPlace(workspaceFrom(o.privateGitDir, record)), branch);
    if (blocked !== null) return { ok: false, reason: "branch_blocked", detail: blocked };
    await writeRecord(o.privateGitDir, record);
    await crashPoint("prepare.after-record");
    await writeMarker(worktree, { homeId, sessionId, privateGitDir: o.privateGitDir });
    await crashPoint("prepare.after-marker");
    return record;
  });
}

/** Makes what the record says and marks it ready. */
async function finish(
  { o, repo, person, record }: { o: Preparation; repo: RepoView; person: PersonConfig; record: WorkspaceRecord },
  crashPoint: CrashPoint,
): Promise<Prepared> {
  const { privateGitDir } = o;
  const ws = workspaceFrom(privateGitDir, record);
  const [, registration] = await allDone([
    makePrivateGitDir({ privateGitDir, commonDir: repo.commonDir, objectFormat: repo.objectFormat, person }),
    serialize(repo.commonDir, () => registerWorktree(o.privateGitRoot, record)),
  ]);
  await crashPoint("prepare.after-worktree-add");
  const pin = ["update-ref", "--no-deref", `refs/codehands/base/${record.sessionId}`, record.base];
  const [, counted, fingerprint] = await allDone([
    checkOut(ws, registration),
    countBase(ws),
    takeFingerprint({ ...ws, privateGitRoot: o.privateGitRoot }),
    runGit({ place: commonPlace(ws), args: pin }),
  ]);
  await crashPoint("prepare.after-checkout");
  if (person.kept.get("core.sparsecheckout") === "true") await rememberSkipped(ws);
  const ready: WorkspaceRecord = { ...record, ...counted, fingerprint, state: "ready" };
  await writeRecord(privateGitDir, ready);
  await crashPoint("prepare.after-ready");
  return { ok: true, workspace: ws, repoKey: record.repoKey, baseRef: record.baseRef };
}

/** Waits for all of them, also when one fails: nothing may still be writing while it is taken back. */
async function allDone<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<unknown> as Promise<T>;
}

async function heldWorkspace(privateGitDir: string, held: WorkspaceRecord): Promise<Prepared> {
  if (!(await exists(held.worktree))) {
    const detail = `The worktree ${held.worktree} is gone. What was pinned of it is kept in ${privateGitDir}.`;
    return { ok: false, reason: "worktree_missing", detail };
  }
  return { ok: true, workspace: workspaceFrom(privateGitDir, held), repoKey: held.repoKey, baseRef: held.baseRef };
}

function workspaceFrom(privateGitDir: string, record: WorkspaceRecord): Workspace {
  const { sessionId, repoPath, commonDir, worktree, branch, base } = record;
  return { sessionId, repoPath, commonDir, privateGitDir, worktree, branch, baseCommit: base };
}

/** git's checkout does not say why it could not write: a file system with less than this left is full. */
const FULL_BYTES = 4 * 1024 ** 2;

async function isDiskFull(roots: string[]): Promise<boolean> {
  const all = await Promise.all(roots.map((root) => statfs(root).catch(() => null)));
  return all.some((found) => found !== null && found.bavail * found.bsize < FULL_BYTES);
}

function failed(error: unknown, isFull: boolean): Prepared {
  const code = (error as { code?: unknown } | null)?.code;
  const words = error instanceof Error ? error.message : String(error);
  const kept = "What had been made was taken back; your repository is as it was.";
  if (isFull || code === "disk_full" || code === "ENOSPC" || code === "EDQUOT") {
    return {
      ok: false,
      reason: "disk_full",
      detail: `The disk is full: ${words} ${kept} Free some space and start again.`,
    };
  }
  return { ok: false, reason: "spawn_failed", detail: `The worktree could not be made: ${words} ${kept}` };
}
