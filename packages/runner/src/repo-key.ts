import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { personGit } from "./git/person-git.ts";

/**
 * The name of a repository: the first 12 hex digits of the SHA-1 of its origin URL, or of its
 * absolute path when it has no origin. Two clones of one repository share a key.
 */
export async function repoKey(repoPath: string): Promise<string> {
  const path = resolve(repoPath);
  const origin = await read(path, ["config", "--get", "remote.origin.url"]);
  return keyOf(origin ?? (await read(path, ["rev-parse", "--show-toplevel"])) ?? path);
}

/** The key of an origin URL or path. */
export function keyOf(originOrPath: string): string {
  return createHash("sha1").update(originOrPath).digest("hex").slice(0, 12);
}

async function read(path: string, args: string[]): Promise<string | null> {
  const answer = await personGit(path, args);
  const line = answer.stdout.toString("utf8").replace(/\n$/, "");
  return answer.exitCode === 0 && line !== "" ? line : null;
}
