import type { CrashPoint } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { commonPlace, DURABLE_WORDS, privatePlace } from "./git-environment.ts";
import { branchTip } from "./pin-commits.ts";
import { checkedOutElsewhere } from "./registration.ts";
import { pipeGit, tryGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";

export interface Landing {
  commit: string;
  /** The branch's commit that was seen and pinned; null when there is no branch. */
  seen: string | null;
}

const ATTEMPTS = 3;

/**
 * Brings a commit into the person's repository and moves the session's branch to it, only if the
 * branch is still where it was seen. Throws `branch_moved` when it is not. Safe to repeat.
 */
export async function landCommit(ws: Workspace, landing: Landing, crashPoint: CrashPoint): Promise<void> {
  const elsewhere = await checkedOutElsewhere(ws);
  if (elsewhere !== null) {
    throw new RunnerError(
      "branch_moved",
      `The branch ${ws.branch} is checked out in ${elsewhere}. Switch to another branch there and approve again. Nothing was changed.`,
    );
  }
  let words = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await pipeGit(
      {
        place: privatePlace(ws),
        args: ["pack-objects", "--revs", "--thin", "--stdout", "-q"],
        input: `${landing.commit}\n^${ws.baseCommit}\n`,
      },
      { place: commonPlace(ws), args: [...DURABLE_WORDS, "unpack-objects", "-q", "-r"] },
    );
    await crashPoint("approve.after-land-objects");
    const moved = await moveBranch(ws, landing);
    if (moved === null) return;
    words = moved;
    const now = await branchTip(ws);
    if (now === landing.commit) return;
    if (now !== landing.seen) {
      throw new RunnerError(
        "branch_moved",
        `The branch ${ws.branch} moved while it was being approved. Nothing was landed. Look at the diff again.`,
      );
    }
    const lock = /'([^']+\.lock)'/.exec(words)?.[1];
    if (lock !== undefined) {
      throw new RunnerError(
        "still_changing",
        `Another git holds ${lock}, so the branch ${ws.branch} could not be moved. Nothing was landed. Approve again when it has ended; if none runs, remove that file.`,
      );
    }
    // A gc may have taken the objects before the branch held them: land them again.
  }
  throw new RunnerError(
    words.includes("cannot lock ref") ? "branch_blocked" : "git_failed",
    `The branch ${ws.branch} could not be moved: ${words} The worktree and the reviewed content are kept.`,
  );
}

/** Null when the branch is at the commit now, else git's words. Never follows a symbolic ref to another branch. */
async function moveBranch(ws: Workspace, landing: Landing): Promise<string | null> {
  const zero = "0".repeat(landing.commit.length);
  const answer = await tryGit({
    place: commonPlace(ws),
    args: [
      ...DURABLE_WORDS,
      "update-ref",
      "--no-deref",
      `refs/heads/${ws.branch}`,
      landing.commit,
      landing.seen ?? zero,
    ],
  });
  return answer.exitCode === 0 ? null : answer.stderr.trim();
}
