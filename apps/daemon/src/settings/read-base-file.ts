import type { PersonGit } from "../repos/person-git.ts";

/** The name of a repository's own settings file. */
export const REPO_FILE = ".codehands.json";
const MAX_BYTES = 64 * 1024;

/** The commit that a ref of a repository means now; null when it means none. */
export async function readCommit(git: PersonGit, folder: string, ref: string): Promise<string | null> {
  if (ref === "" || ref.startsWith("-")) return null;
  const answer = await git(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return answer.exitCode === 0 ? answer.stdout.trim() : null;
}

/**
 * The text of a file at the top of a commit, null when it has none (or one of more than 64 KB, or a link). It is
 * never read from a folder: what counts is what was committed, not what an agent or a build wrote there since.
 */
export async function readBaseFile(
  git: PersonGit,
  place: { folder: string; commit: string; name: string },
): Promise<string | null> {
  const { folder, commit, name } = place;
  const entry = await git(folder, ["ls-tree", "-l", "--full-tree", commit, "--", name]);
  const [, mode, type, id, size] = /^(\d+) (\w+) ([0-9a-f]+) +(\d+)\t/.exec(entry.stdout) ?? [];
  if (entry.exitCode !== 0 || type !== "blob" || id === undefined || mode === "120000") return null;
  if (Number(size) > MAX_BYTES) return null;
  const blob = await git(folder, ["cat-file", "blob", id]);
  return blob.exitCode === 0 ? blob.stdout : null;
}
