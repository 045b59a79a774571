import type { PersonGit } from "../repos/person-git.ts";
import { readCommit } from "./read-base-file.ts";
import { readTrustFiles, type TrustFiles } from "./read-trust-files.ts";

/** What a repository says of itself at the commit that a session would start from. */
export interface RepositoryReading extends TrustFiles {
  /** The ref that counts; null for HEAD. */
  base: string | null;
  commit: string;
}

export interface ReadRepositoryOptions {
  git: PersonGit;
  folder: string;
  /** The base that a flag or the person's settings name; undefined lets the repository's own hint count. */
  base: string | undefined;
}

/** Reads a repository's own files at its base commit. Null when that commit is not there. */
export async function readRepository(options: ReadRepositoryOptions): Promise<RepositoryReading | null> {
  const { git, folder, base } = options;
  const reading = async (ref: string | null): Promise<RepositoryReading | null> => {
    const commit = await readCommit(git, folder, ref ?? "HEAD");
    return commit === null ? null : { base: ref, commit, ...(await readTrustFiles(git, folder, commit)) };
  };
  const first = await reading(base ?? null);
  const hint = first?.settings?.hints.base;
  // The repository's usual base is another commit, whose file may say something else; it has the last word.
  return base === undefined && hint !== undefined ? ((await reading(hint)) ?? first) : first;
}
