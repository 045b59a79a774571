import { join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { commonPlace, DURABLE_WORDS, privatePlace } from "./git-environment.ts";
import { readSmallFile } from "./read-small-file.ts";
import { findRegistration, readHead } from "./registration.ts";
import { gitLine, runGit, tryGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";
import { syncFolder } from "./write-durable.ts";

/** The newest commits of an agent that are looked at; a reflog can be long. */
const MAX_TIPS = 200;

/**
 * Copies everything that is reachable from `tips` and not from the base into the private git
 * folder, durably, whether or not the person's repository holds it too: a gc there cannot take it.
 */
export async function copyObjects(
  ws: Workspace,
  tips: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  const folder = join(ws.privateGitDir, "objects/pack");
  const packed = await gitLine({
    place: privatePlace(ws),
    args: ["pack-objects", "--revs", "-q", "--window=0", join(folder, "pack")],
    input: [...tips, ...[ws.baseCommit, ...known].map((id) => `^${id}`), ""].join("\n"),
  });
  if (packed !== "") await syncFolder(folder);
}

/** Points a ref of the private git folder at a commit, durably. */
export async function pin(ws: Workspace, ref: string, commit: string): Promise<void> {
  await runGit({ place: privatePlace(ws), args: [...DURABLE_WORDS, "update-ref", "--no-deref", ref, commit] });
}

/** The commit of a ref in the private git folder, or null. */
export async function pinned(ws: Workspace, ref: string): Promise<string | null> {
  const answer = await tryGit({ place: privatePlace(ws), args: ["rev-parse", "--verify", "-q", `${ref}^{commit}`] });
  return answer.exitCode === 0 ? answer.stdout.toString("latin1").trim() : null;
}

/** The branch's commit in the person's repository as it is now, or null when there is no such branch. */
export async function branchTip(ws: Workspace): Promise<string | null> {
  const args = ["rev-parse", "--verify", "-q", `refs/heads/${ws.branch}^{commit}`];
  const answer = await tryGit({ place: commonPlace(ws), args });
  return answer.exitCode === 0 ? answer.stdout.toString("latin1").trim() : null;
}

/** Whether a commit that a branch pointed at stays reachable without that branch: pinned, or part of the base's history. */
export async function isKept(ws: Workspace, commit: string): Promise<boolean> {
  if ((await pinned(ws, `refs/codehands/agent/${ws.sessionId}/${commit}`)) !== null) return true;
  const args = ["merge-base", "--is-ancestor", commit, ws.baseCommit];
  return (await tryGit({ place: privatePlace(ws), args })).exitCode === 0;
}

/**
 * Pins the commits that the agent made itself: the branch's tip, HEAD, and what their logs name.
 * Returns how many are pinned below `refs/codehands/agent/<session>/`.
 */
export async function pinAgentCommits(ws: Workspace): Promise<number> {
  const named = await namedCommits(ws);
  if (named.length === 0) return 0;
  const tips = await newCommits(ws, named);
  if (tips.length === 0) return 0;
  const copied = await copyEach(ws, tips);
  const lines = copied.map((id) => `update refs/codehands/agent/${ws.sessionId}/${id} ${id}\n`);
  await runGit({
    place: privatePlace(ws),
    args: [...DURABLE_WORDS, "update-ref", "--no-deref", "--stdin"],
    input: lines.join(""),
  });
  return copied.length;
}

/** Copies all at once; when one of them lacks an object, each by itself, passing over the broken ones. */
async function copyEach(ws: Workspace, tips: readonly string[]): Promise<string[]> {
  try {
    await copyObjects(ws, tips);
    return [...tips];
  } catch (error) {
    if (error instanceof RunnerError && error.code === "disk_full") throw error;
    const copied: string[] = [];
    for (const tip of tips) {
      await copyObjects(ws, [tip]).then(
        () => copied.push(tip),
        () => undefined,
      );
    }
    return copied;
  }
}

/** Every commit id that the agent's HEAD, branch and their logs name, newest first. */
async function namedCommits(ws: Workspace): Promise<string[]> {
  const registration = await findRegistration(ws.commonDir, ws.worktree);
  const logs = [join(ws.commonDir, "logs/refs/heads", ws.branch)];
  const heads: (string | null)[] = [await branchTip(ws)];
  if (registration !== null) {
    heads.push((await readHead(registration.adminDir)).headCommit);
    logs.push(join(registration.adminDir, "logs/HEAD"));
  }
  const logged = await Promise.all(logs.map(logEntries));
  const ids = [...heads.filter((id) => id !== null), ...logged.flat()];
  return [...new Set(ids)].filter((id) => id !== ws.baseCommit).slice(0, MAX_TIPS);
}

/** The new ids of a reflog, newest first. */
async function logEntries(file: string): Promise<string[]> {
  const bytes = await readSmallFile(file, { limit: 8 * 1024 ** 2 });
  const lines = bytes?.toString("latin1").split("\n") ?? [];
  return lines
    .map((line) => /^[0-9a-f]+ ([0-9a-f]{40,64}) /.exec(line)?.[1])
    .filter((id) => id !== undefined)
    .filter((id) => !/^0+$/.test(id))
    .reverse();
}

/** Those ids that are commits and that the base does not hold. */
async function newCommits(ws: Workspace, ids: readonly string[]): Promise<string[]> {
  const checked = await runGit({
    place: privatePlace(ws),
    args: ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    input: `${ids.join("\n")}\n`,
  });
  const commits = [...checked.toString("latin1").matchAll(/^commit ([0-9a-f]+)$/gm)].map((match) => match[1] ?? "");
  if (commits.length === 0) return [];
  const walked = await tryGit({
    place: privatePlace(ws),
    args: ["rev-list", "--stdin"],
    input: `${commits.join("\n")}\n^${ws.baseCommit}\n`,
  });
  const beyond = new Set(walked.stdout.toString("latin1").split("\n"));
  return walked.exitCode === 0 ? commits.filter((id) => beyond.has(id)) : commits;
}
