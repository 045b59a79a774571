import { homedir } from "node:os";
import { resolve } from "node:path";
import { ownEnvironment } from "../config.ts";
import { personGit } from "./person-git.ts";
import { readSmallFile } from "./read-small-file.ts";

export interface Identity {
  name: string;
  email: string;
}

/** Who a commit is from when the person's git has no name for them. */
export const OUR_IDENTITY: Identity = { name: "Code Hands", email: "codehands@localhost" };

/** Settings that decide how files become blobs and back. Nothing here can name a program. */
const KEPT_KEYS = new Set([
  "core.autocrlf",
  "core.eol",
  "core.ignorecase",
  "core.symlinks",
  "core.filemode",
  "core.precomposeunicode",
  "core.checkroundtripencoding",
  "core.bigfilethreshold",
  "core.longpaths",
  "core.protectntfs",
  "core.protecthfs",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "index.version",
]);

export interface PersonConfig {
  /** Every setting as git lists it: key in lower case, last value. */
  all: ReadonlyMap<string, string>;
  kept: ReadonlyMap<string, string>;
  identity: Identity;
  /** The person's own ignore rules and attributes, outside the repository. */
  excludes: Buffer;
  attributes: Buffer;
}

/**
 * Reads the person's whole git configuration once, before an agent starts, and keeps only what
 * decides about contents. Throws `git_failed` when git cannot be run.
 */
export async function readPersonConfig(repoPath: string): Promise<PersonConfig> {
  const [list, excludesPath, attributesPath] = await Promise.all([
    personGit(repoPath, ["config", "-z", "--list"]),
    personGit(repoPath, ["config", "--path", "--get", "core.excludesFile"]),
    personGit(repoPath, ["config", "--path", "--get", "core.attributesFile"]),
  ]);
  const all = parseConfigList(list.stdout.toString("utf8"));
  const configured = (answer: { exitCode: number; stdout: Buffer }) =>
    answer.exitCode === 0 ? answer.stdout.toString("utf8").replace(/\n$/, "") : null;
  const [system, excludes, attributes] = await Promise.all([
    contentOf("/etc/gitattributes"),
    contentOf(fileFor(repoPath, configured(excludesPath), "ignore")),
    contentOf(fileFor(repoPath, configured(attributesPath), "attributes")),
  ]);
  return {
    all,
    kept: new Map([...all].filter(([key]) => KEPT_KEYS.has(key))),
    identity: identityFrom(all),
    excludes,
    // The system's rules come first: later lines win.
    attributes: Buffer.concat([system, Buffer.from("\n"), attributes]),
  };
}

/** Parses `git config -z --list`: `key LF value NUL`; a key without a value means true. */
export function parseConfigList(text: string): Map<string, string> {
  const all = new Map<string, string>();
  for (const entry of text.split("\0")) {
    if (entry === "") continue;
    const end = entry.indexOf("\n");
    if (end === -1) all.set(entry, "true");
    else all.set(entry.slice(0, end), entry.slice(end + 1));
  }
  return all;
}

/** The person's name and address as git would write them; ours when either is missing or empty. */
export function identityFrom(all: ReadonlyMap<string, string>): Identity {
  const name = cleaned(all.get("author.name") ?? all.get("user.name"));
  const email = cleaned(all.get("author.email") ?? all.get("user.email"));
  return name === "" || email === "" ? OUR_IDENTITY : { name, email };
}

/** Drops what git drops from a name: the marks that end it, and crud at its ends. */
function cleaned(text: string | undefined): string {
  const kept = [...(text ?? "")].filter((mark) => mark >= " " && mark !== "<" && mark !== ">").join("");
  return kept.replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, "");
}

function fileFor(repoPath: string, configured: string | null, name: string): string {
  if (configured !== null) return resolve(repoPath, configured);
  const env = ownEnvironment();
  return `${env["XDG_CONFIG_HOME"] || `${env["HOME"] ?? homedir()}/.config`}/git/${name}`;
}

async function contentOf(path: string): Promise<Buffer> {
  return (await readSmallFile(path, { follow: true })) ?? Buffer.alloc(0);
}
