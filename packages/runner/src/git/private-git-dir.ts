import { copyFile, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { emptyHomeOf } from "./git-environment.ts";
import type { PersonConfig } from "./read-person-config.ts";
import { readSmallFile } from "./read-small-file.ts";
import { runGit } from "./run-git.ts";
import { recordFolder } from "./workspace-record.ts";

export interface PrivateGitOptions {
  privateGitDir: string;
  commonDir: string;
  objectFormat: string;
  person: PersonConfig;
}

/** Makes the folder that stands in for HOME and the one for our own records. Mode 0700. */
export async function makeFolders(privateGitDir: string): Promise<void> {
  await mkdir(emptyHomeOf(dirname(privateGitDir)), { recursive: true, mode: 0o700 });
  await mkdir(recordFolder(privateGitDir), { recursive: true, mode: 0o700 });
}

/**
 * Makes a session's own git folder: our configuration, the person's and the repository's ignore,
 * attribute and sparse rules frozen as they are now. Safe to repeat.
 */
export async function makePrivateGitDir(o: PrivateGitOptions): Promise<void> {
  await runGit({
    place: { gitDir: o.privateGitDir, emptyHome: emptyHomeOf(dirname(o.privateGitDir)) },
    args: ["init", "--bare", "-q", "--template=", `--object-format=${o.objectFormat}`, o.privateGitDir],
  });
  const info = join(o.privateGitDir, "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(o.privateGitDir, "excludes"), o.person.excludes);
  await writeFile(join(o.privateGitDir, "attributes"), o.person.attributes);
  await writeFile(join(o.privateGitDir, "config"), configText(o), { mode: 0o600 });
  for (const name of ["exclude", "attributes", "sparse-checkout"]) {
    await freeze(join(o.commonDir, "info", name), join(info, name));
  }
  // Without it the commits at the edge of a shallow clone seem to lack their parents.
  await freeze(join(o.commonDir, "shallow"), join(o.privateGitDir, "shallow"));
  await makeRawView(o);
}

async function freeze(from: string, to: string): Promise<void> {
  const bytes = await readSmallFile(from, { limit: 64 * 1024 ** 2, follow: true });
  if (bytes !== null) await writeFile(to, bytes);
}

function configText(o: PrivateGitOptions): string {
  const lines = [...formatLines(o.objectFormat)];
  lines.push("[core]", `\texcludesFile = ${quoted(join(o.privateGitDir, "excludes"))}`);
  lines.push(`\tattributesFile = ${quoted(join(o.privateGitDir, "attributes"))}`);
  for (const [key, value] of o.person.kept) {
    const dot = key.indexOf(".");
    lines.push(`[${key.slice(0, dot)}]`, `\t${key.slice(dot + 1)} = ${quoted(value)}`);
  }
  return `${lines.join("\n")}\n`;
}

function* formatLines(objectFormat: string): Generator<string> {
  yield "[core]";
  yield `\trepositoryformatversion = ${objectFormat === "sha1" ? 0 : 1}`;
  yield "\tbare = true";
  if (objectFormat === "sha1") return;
  yield "[extensions]";
  yield `\tobjectformat = ${objectFormat}`;
}

/** A value as git's configuration reads it back. */
function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, (mark) => `\\${mark}`).replace(/\n/g, "\\n")}"`;
}

/** The git folder in which every file counts as binary: for contents that are no UTF-8 text. */
export function rawViewOf(privateGitDir: string): string {
  return join(recordFolder(privateGitDir), "raw-view");
}

async function makeRawView(o: PrivateGitOptions): Promise<void> {
  const folder = rawViewOf(o.privateGitDir);
  for (const name of ["objects/info", "refs", "info"]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(folder, "config"), `${[...formatLines(o.objectFormat)].join("\n")}\n`);
  await writeFile(join(folder, "info/attributes"), "* -diff\n");
  await writeFile(join(folder, "objects/info/alternates"), "../../../objects\n");
}

/**
 * Copies an index with its time, a millisecond older at most: git compares that time with the
 * files' to tell which entries it must look at again.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const before = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(before.mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}
