import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { emptyHomeOf } from "./git-environment.ts";
import { personGit } from "./person-git.ts";
import type { PersonConfig } from "./read-person-config.ts";
import { readSmallText } from "./read-small-file.ts";
import { runGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { writeDurable } from "./write-durable.ts";

export interface FetchRequest {
  repoPath: string;
  commonDir: string;
  privateGitDir: string;
  base: string;
  person: PersonConfig;
}

/**
 * Brings the base's missing objects of a partial clone here, with the person's own git. That git
 * runs what the configuration names, so it is used only while the configuration is the one that
 * was there when we first saw the repository. Returns why not, or null when nothing is missing.
 */
export async function fetchMissing(o: FetchRequest): Promise<string | null> {
  const known = await serialize(`known ${o.commonDir}`, () => isKnown(o));
  const remote = promisorOf(o.person);
  if (remote === null) return null;
  const missing = await missingObjects(o);
  if (missing.length === 0) return null;
  const byHand = `Fetch them yourself with "git -C ${o.repoPath} archive ${o.base} > /dev/null" and start again.`;
  if (!known) {
    return `${o.repoPath} is a partial clone that lacks ${missing.length} files, and its git configuration has changed since it was first used here, so it was not used to fetch them. ${byHand}`;
  }
  const words = [
    "fetch",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
    "--filter=blob:none",
    "--stdin",
  ];
  const input = Buffer.from(missing.map((id) => `${id}\n`).join(""));
  const answer = await personGit(o.repoPath, [...words, "--", remote], { input });
  if (answer.exitCode === 0 && (await missingObjects(o)).length === 0) return null;
  return `${o.repoPath} is a partial clone that lacks ${missing.length} files, and they could not be fetched: ${answer.stderr.trim()} ${byHand}`;
}

/** The remote that holds what a partial clone left out; null for a whole clone. */
function promisorOf(person: PersonConfig): string | null {
  for (const [key, value] of person.all) {
    const remote = /^remote\.(.+)\.promisor$/.exec(key)?.[1];
    if (remote !== undefined && value === "true") return remote;
  }
  return person.all.get("extensions.partialclone") ?? null;
}

async function missingObjects(o: FetchRequest): Promise<string[]> {
  const list = await runGit({
    place: { gitDir: o.commonDir, emptyHome: emptyHomeOf(dirname(o.privateGitDir)) },
    args: ["rev-list", "--objects", "--missing=print", `${o.base}^{tree}`],
  });
  const lines = list.toString("latin1").split("\n");
  return lines.filter((line) => line.startsWith("?")).map((line) => line.slice(1));
}

/** Whether the settings that a fetch could run are those of the first time; stores them at the first time. */
async function isKnown(o: FetchRequest): Promise<boolean> {
  const hash = createHash("sha256");
  // A branch's upstream changes with every push.
  const settings = [...o.person.all].filter(([key]) => !/^branch\..*\.(remote|merge)$/.test(key));
  for (const line of settings.map(([key, value]) => `${key}\n${value}\0`).sort()) hash.update(line);
  const now = hash.digest("hex");
  const folder = join(dirname(o.privateGitDir), "known");
  const file = join(folder, createHash("sha256").update(o.commonDir).digest("hex").slice(0, 16));
  const before = await readSmallText(file);
  if (before !== null) return before === now;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeDurable(file, now);
  return true;
}
