import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";

/** The repository around a folder: the nearest one above with a `.git`, or a bare one; null when there is none. */
export function repoAround(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(`${at}/.git`) || isBare(at)) return at;
    if (dirname(at) === at) return null;
  }
}

function isBare(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(`${folder}/${name}`));
}

/** The repository a command works in: that of `-C`, else of the current folder. Throws a usage error without one. */
export function repoOf(cli: Pick<Cli, "repo" | "cwd">): string {
  const folder = cli.repo ?? cli.cwd;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw usageError(`There is no folder ${folder}.`);
  }
  const repo = repoAround(folder);
  if (repo === null) throw usageError(`${folder} is not in a git repository. Name one with -C <dir>.`);
  return repo;
}
