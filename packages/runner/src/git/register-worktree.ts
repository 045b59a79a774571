import { join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { emptyHomeOf, type GitPlace } from "./git-environment.ts";
import { pinAgentCommits } from "./pin-commits.ts";
import {
  dropRegistration,
  exists,
  findRegistration,
  listRegistrations,
  lockRegistration,
  type Registration,
} from "./registration.ts";
import { gitLine, runGit } from "./run-git.ts";
import { findRecord, type WorkspaceRecord } from "./workspace-record.ts";

/** Why the branch of a new session cannot be made; null when it can. */
export async function branchBlocked(place: GitPlace, branch: string): Promise<string | null> {
  const found = await gitLine({
    place,
    args: ["for-each-ref", "--format=%(refname)", "refs/heads/codehands", `refs/heads/${branch}`],
  });
  const refs = found.split("\n");
  if (refs.includes("refs/heads/codehands")) {
    return 'A branch named "codehands" is in the way of every branch "codehands/…". Rename it with "git branch -m codehands <other name>" and start again. Nothing was changed.';
  }
  if (refs.some((ref) => ref === `refs/heads/${branch}` || ref.startsWith(`refs/heads/${branch}/`))) {
    return `A branch named "${branch}" exists already and was not made by this session. Rename or delete it and start again. Nothing was changed.`;
  }
  return null;
}

/** Makes the worktree folder without files, with its branch, registered and locked as ours. */
export async function registerWorktree(privateGitRoot: string, record: WorkspaceRecord): Promise<Registration> {
  const place = { gitDir: record.commonDir, emptyHome: emptyHomeOf(privateGitRoot) };
  await dropStale(privateGitRoot, record);
  await runGit({
    place,
    args: [
      "worktree",
      "add",
      "--no-checkout",
      "--no-track",
      "--lock",
      "-b",
      record.branch,
      "--",
      record.worktree,
      record.base,
    ],
  });
  const registration = await findRegistration(record.commonDir, record.worktree);
  if (registration === null) {
    throw new RunnerError("git_failed", `git made the worktree ${record.worktree} but did not register it.`);
  }
  await lockRegistration(registration.adminDir, record);
  return registration;
}

/** Drops registrations of this home whose folder is gone, once the commits that only they hold are pinned. */
async function dropStale(privateGitRoot: string, record: WorkspaceRecord): Promise<void> {
  for (const entry of await listRegistrations(record.commonDir)) {
    if (entry.owner?.homeId !== record.homeId || (await exists(entry.worktree))) continue;
    const privateGitDir = join(privateGitRoot, entry.owner.sessionId);
    const owner = await findRecord(privateGitDir);
    if (owner === null && entry.worktree !== record.worktree) continue;
    if (owner !== null && owner.state === "ready") {
      await pinAgentCommits({ ...owner, privateGitDir, baseCommit: owner.base });
    }
    await dropRegistration(entry);
  }
}
