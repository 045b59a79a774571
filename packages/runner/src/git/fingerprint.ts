import { createHash } from "node:crypto";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { emptyHomeOf, type GitPlace } from "./git-environment.ts";
import { readSmallFile } from "./read-small-file.ts";
import { exists, findRegistration } from "./registration.ts";
import { tryGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord } from "./workspace-record.ts";

/** What each part of a repository's configuration and hooks was: a name for people to a hash. */
export type Fingerprint = Record<string, string>;

interface Places {
  commonDir: string;
  privateGitDir: string;
  privateGitRoot: string;
  worktree: string;
}

/** Takes the fingerprint of a repository's configuration, hooks and rules. Starts nothing that they name. */
export async function takeFingerprint(places: Places): Promise<Fingerprint> {
  // A git folder is named, so that git looks for none from where we stand.
  const place: GitPlace = { gitDir: places.privateGitDir, emptyHome: emptyHomeOf(places.privateGitRoot) };
  const registration = await findRegistration(places.commonDir, places.worktree);
  const parts = await Promise.all([
    configParts(place, join(places.commonDir, "config"), "config"),
    configParts(place, join(places.commonDir, "config.worktree"), "config.worktree"),
    registration === null ? [] : configParts(place, join(registration.adminDir, "config.worktree"), "worktree config"),
    hookParts(join(places.commonDir, "hooks")),
    fileParts(places.commonDir, ["info/attributes", "info/exclude", "info/grafts", "objects/info/alternates"]),
  ]);
  return Object.fromEntries(parts.flat());
}

/** What differs between two fingerprints, as names for people, sorted. */
export function changedBetween(before: Fingerprint, now: Fingerprint): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}

/** What has changed in the repository's configuration and hooks since the workspace was prepared. */
export async function changedSince(ws: Workspace): Promise<string[]> {
  const record = await readRecord(ws);
  const now = await takeFingerprint({
    commonDir: ws.commonDir,
    privateGitDir: ws.privateGitDir,
    privateGitRoot: join(ws.privateGitDir, ".."),
    worktree: ws.worktree,
  });
  return changedBetween(record.fingerprint, now);
}

type Part = [name: string, hash: string];

async function configParts(place: GitPlace, file: string, title: string): Promise<Part[]> {
  const bytes = await readSmallFile(file, { limit: 16 * 1024 ** 2 });
  if (bytes === null) return (await exists(file)) ? [[title, "not a plain file"]] : [];
  const list = await tryGit({ place, args: ["config", "--no-includes", "-z", "--list", "--file", "-"], input: bytes });
  if (list.exitCode !== 0) return [[title, hashOf(bytes)]];
  const values = new Map<string, string[]>();
  for (const entry of list.stdout
    .toString("utf8")
    .split("\0")
    .filter((text) => text !== "")) {
    const end = entry.indexOf("\n");
    const key = end === -1 ? entry : entry.slice(0, end);
    values.set(key, [...(values.get(key) ?? []), end === -1 ? "" : entry.slice(end)]);
  }
  return [...values].map(([key, all]) => [`${title} ${key}`, hashOf(all.join("\0"))]);
}

async function hookParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return Promise.all(names.map(async (name): Promise<Part> => [`hook ${name}`, await hashFile(join(folder, name))]));
}

async function fileParts(folder: string, names: string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of names)
    if (await exists(join(folder, name))) parts.push([name, await hashFile(join(folder, name))]);
  return parts;
}

async function hashFile(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return "gone";
  if (found.isSymbolicLink()) return `link ${await readlink(path).catch(() => "")}`;
  const bytes = await readSmallFile(path, { limit: 16 * 1024 ** 2 });
  return `${(found.mode & 0o777).toString(8)} ${bytes === null ? `${found.size} bytes` : hashOf(bytes)}`;
}

function hashOf(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex");
}
