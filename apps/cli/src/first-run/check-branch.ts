import { execFile } from "node:child_process";
import { promisify } from "node:util";

const exec = promisify(execFile);

export interface Landed {
  branch: string;
  commit: string;
  treeId: string;
}

/**
 * Checks with git itself what an approval promises: one commit on the branch, its parent the commit that is checked
 * out, its tree the reviewed one, and the checkout as it was. Throws with what is wrong.
 */
export async function checkLanded(repo: string, landed: Landed): Promise<void> {
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await exec("git", ["-c", "core.fsmonitor=false", ...args], { cwd: repo });
    return stdout.trim();
  };
  const found = {
    branch: await git("rev-parse", `refs/heads/${landed.branch}`),
    parent: await git("rev-parse", `${landed.commit}^`),
    tree: await git("rev-parse", `${landed.commit}^{tree}`),
    changed: await git("status", "--porcelain"),
  };
  const wanted = { branch: landed.commit, parent: await git("rev-parse", "HEAD"), tree: landed.treeId, changed: "" };
  for (const [what, value] of Object.entries(wanted)) {
    const got = found[what as keyof typeof found];
    if (got !== value) throw new Error(`The approved ${what} is "${got}", not "${value}".`);
  }
}

/** Checks that a rejected session left no branch. Throws when it did. */
export async function checkGone(repo: string, branch: string): Promise<void> {
  const { stdout } = await exec("git", ["for-each-ref", `refs/heads/${branch}`], { cwd: repo });
  if (stdout !== "") throw new Error(`The rejected branch ${branch} is still there.`);
}
