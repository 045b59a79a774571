import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { EndReason } from "@codehands/contracts";
import { personGit } from "./person-git.ts";

export interface Refused {
  ok: false;
  reason: EndReason;
  detail: string;
}

export interface RepoView {
  ok: true;
  repoPath: string;
  commonDir: string;
  objectFormat: string;
  base: string;
  baseRef: string | null;
}

/** Looks at a repository as the person, before anything is made. A repository we cannot work on is an answer. */
export async function inspectRepo(named: string, base?: string): Promise<RepoView | Refused> {
  if (named.startsWith("-")) return notARepo(named, "A repository path must not begin with a dash.");
  if (base?.startsWith("-") || base === "") {
    return unsupported(`"${base}" cannot be the name of a commit to start from.`);
  }
  const repoPath = resolve(named);
  const isFolder = await stat(repoPath).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return notARepo(repoPath, "There is no such folder.");

  const found = await personGit(repoPath, ["rev-parse", "--git-common-dir", "--show-object-format"]);
  if (found.exitCode !== 0) return explainFailure(repoPath, found.stderr);
  const [commonLine = "", objectFormat = "sha1"] = found.stdout.toString("utf8").trimEnd().split("\n");
  const commonDir = await realpath(isAbsolute(commonLine) ? commonLine : resolve(repoPath, commonLine));

  const [commit, head] = await Promise.all([
    personGit(repoPath, ["rev-parse", "--verify", "-q", `${base ?? "HEAD"}^{commit}`]),
    personGit(repoPath, ["symbolic-ref", "--short", "-q", "HEAD"]),
  ]);
  if (commit.exitCode !== 0) {
    if (base === undefined) return notARepo(repoPath, "Commit something first.");
    return unsupported(`${repoPath} has no commit called "${base}".`);
  }
  const headName = head.exitCode === 0 ? head.stdout.toString("utf8").trim() : null;
  return {
    ok: true,
    repoPath,
    commonDir,
    objectFormat,
    base: commit.stdout.toString("latin1").trim(),
    baseRef: base ?? headName,
  };
}

function explainFailure(repoPath: string, words: string): Refused {
  if (/unknown repository extension|Expected git repo version|unknown value for extensions/i.test(words)) {
    return unsupported(
      `${repoPath} uses a repository format that the git on this machine does not know: ${words.trim()}`,
    );
  }
  if (words.includes("dubious ownership") || words.includes("unsafe repository")) {
    return notARepo(repoPath, "It belongs to another user, and git refuses it until you add it to safe.directory.");
  }
  if (words.includes("not a git repository")) return notARepo(repoPath, "Commit something first.");
  return notARepo(repoPath, words.trim());
}

function notARepo(path: string, more: string): Refused {
  return {
    ok: false,
    reason: "not_a_repo",
    detail: `${path} is not a git repo or has no commits yet. ${more} Nothing was changed.`,
  };
}

/** The refusal of a repository that this version cannot work with. */
export function unsupported(what: string): Refused {
  return { ok: false, reason: "unsupported_repo", detail: `${what} Nothing was changed.` };
}
