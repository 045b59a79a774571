import { realpath } from "node:fs/promises";
import { basename, isAbsolute, resolve } from "node:path";
import type { CloneFacts } from "./clone-rows.ts";
import { matchKeyOf, remoteWithoutSecrets } from "./name-remote.ts";
import type { PersonGit } from "./person-git.ts";
import type { RepoFacts } from "./repo-rows.ts";

export interface IdentifyDeps {
  git: PersonGit;
  /** The runner's rule for the key of a repository. */
  repoKey: (path: string) => Promise<string>;
}

export type RepoIdentity =
  | { ok: true; repo: RepoFacts; clone: CloneFacts }
  | { ok: false; code: "not_a_repo" | "repo_missing"; reason: string };

/** Finds out which repository lies at a path (a folder inside it will do). Changes nothing. */
export async function identifyRepo(path: string, deps: IdentifyDeps): Promise<RepoIdentity> {
  const folder = await realpath(path).catch(() => null);
  if (!isAbsolute(path) || folder === null) {
    return { ok: false, code: "repo_missing", reason: `There is no folder ${path}.` };
  }
  const look = (...args: string[]) => deps.git(folder, args);
  const shape = await look("rev-parse", "--git-common-dir", "--show-object-format");
  if (shape.exitCode !== 0) return { ok: false, code: "not_a_repo", reason: whyNoRepo(path, shape.stderr) };
  const [common = ".git", format] = shape.stdout.trimEnd().split("\n");
  const [top, origin, head, remoteHead, roots] = await Promise.all([
    look("rev-parse", "--show-toplevel"),
    look("config", "--get", "remote.origin.url"),
    look("symbolic-ref", "--quiet", "--short", "HEAD"),
    look("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"),
    look("rev-list", "--max-parents=0", "--max-count=1", "HEAD"),
  ]);
  const lineOf = (answer: { exitCode: number; stdout: string }): string | null =>
    answer.exitCode === 0 && answer.stdout.trim() !== "" ? answer.stdout.replace(/\n$/, "") : null;
  const commonDir = await realpath(isAbsolute(common) ? common : resolve(folder, common));
  const place = lineOf(top) ?? commonDir;
  const repoKey = await deps.repoKey(place);
  const rootCommit = lineOf(roots);
  const remote = remoteWithoutSecrets(lineOf(origin));
  return {
    ok: true,
    repo: {
      repoKey,
      name: nameOf(remote, place),
      remote,
      matchKey: matchKeyOf({ remote, rootCommit, repoKey }),
      defaultBranch: lineOf(remoteHead)?.replace(/^origin\//, "") ?? lineOf(head),
    },
    clone: { repoKey, path: place, commonDir, rootCommit, objectFormat: format === "sha256" ? "sha256" : "sha1" },
  };
}

function nameOf(remote: string | null, place: string): string {
  const last = remote
    ?.replace(/[/\\]+$/, "")
    .replace(/\.git$/, "")
    .split(/[/:\\]/)
    .at(-1);
  return last === undefined || last === "" ? basename(place.replace(/\/\.git$/, "")) || place : last;
}

function whyNoRepo(path: string, words: string): string {
  if (/dubious ownership|unsafe repository/.test(words)) {
    return `${path} belongs to another user, and git refuses it until you add it: git config --global --add safe.directory ${path}`;
  }
  if (/not a git repository/.test(words)) return `${path} is not in a git repository.`;
  return `git cannot read the repository at ${path}: ${words.trim().split("\n")[0] ?? ""}`;
}
