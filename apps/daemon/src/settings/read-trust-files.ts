import { createHash } from "node:crypto";
import type { PersonGit } from "../repos/person-git.ts";
import { REPO_FILE, readBaseFile } from "./read-base-file.ts";
import { parseRepoSettings, type RepoSettings } from "./repo-settings.ts";

/** The files whose commands run once a person trusts a repository: ours, and the agent's own project settings. */
const TRUST_FILES = [REPO_FILE, ".claude/settings.json"] as const;

export interface TrustFiles {
  /** What our own file says; null without one. */
  settings: RepoSettings | null;
  /** The texts of the files there are. */
  files: { name: string; text: string }[];
  /** What trust is bound to; null when there is nothing to trust. */
  hash: string | null;
}

/** Reads from a commit what a person has to see before they trust it. */
export async function readTrustFiles(git: PersonGit, folder: string, commit: string): Promise<TrustFiles> {
  const texts = await Promise.all(TRUST_FILES.map((name) => readBaseFile(git, { folder, commit, name })));
  const files = TRUST_FILES.flatMap((name, index) => {
    const text = texts[index];
    return text === null || text === undefined ? [] : [{ name, text }];
  });
  const own = files.find((file) => file.name === REPO_FILE);
  return { files, hash: hashOf(files), settings: own === undefined ? null : parseRepoSettings(own.text) };
}

function hashOf(files: TrustFiles["files"]): string | null {
  if (files.length === 0) return null;
  const hash = createHash("sha256");
  // The length stands before each text, so that no text can pretend to be the beginning of the next file.
  for (const { name, text } of files) hash.update(`${name}\0${Buffer.byteLength(text)}\0`).update(text);
  return hash.digest("hex");
}
