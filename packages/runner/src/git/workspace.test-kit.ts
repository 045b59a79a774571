import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { type PrepareOptions, prepareWorkspace } from "./prepare-workspace.ts";
import type { Workspace } from "./workspace.ts";

const open: string[] = [];
afterAll(async () => {
  for (const folder of open.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A new folder that goes away with the test file. */
export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "codehands-git-")));
  open.push(folder);
  return folder;
}

/** The same commits have the same ids in every run. */
const FIXED = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };

/** Plain git as a person or an agent would run it. */
export function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C", ...FIXED };
  return execFileSync("git", args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1024 ** 3,
    timeout: 20_000,
  })
    .toString()
    .trim();
}

/** Writes files below a folder. */
export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export interface World {
  root: string;
  repo: string;
  trashRoot: string;
  options: (more?: Partial<PrepareOptions>) => PrepareOptions;
}

/** A person's home with a name in its configuration, and our own folders; no repository yet. */
export async function makeWorld(): Promise<World> {
  const root = await tempFolder();
  const home = join(root, "person");
  write(home, {
    ".gitconfig": "[user]\n\tname = Pat Person\n\temail = pat@example.com\n[init]\n\tdefaultBranch = main\n",
  });
  process.env["HOME"] = home;
  for (const name of ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_DIR"]) delete process.env[name];
  const repo = join(root, "repo");
  return {
    root,
    repo,
    trashRoot: join(root, "hands/trash"),
    options: (more = {}) => ({
      sessionId: randomUUID(),
      repoPath: repo,
      prompt: "Fix the failing test",
      worktreeRoot: join(root, "hands/worktrees"),
      privateGitRoot: join(root, "hands/git"),
      homeId: "home-1",
      ...more,
    }),
  };
}

export const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "src/b.ts": "export const b = 1;\n",
  "src/c.ts": "export const c = 1;\n",
  ".gitignore": "ignored/\n.env\n",
};

/** A world with a repository of a few files and one commit. */
export async function makeRepo(files: Record<string, string | Buffer> = FILES): Promise<World> {
  const world = await makeWorld();
  mkdirSync(world.repo);
  git(world.repo, "init", "-q");
  write(world.repo, files);
  git(world.repo, "add", "-A");
  git(world.repo, "commit", "-q", "-m", "first");
  return world;
}

/** A prepared workspace; fails the test when it is refused. */
export async function prepare(world: World, more: Partial<PrepareOptions> = {}): Promise<Workspace> {
  const prepared = await prepareWorkspace(world.options(more));
  if (!prepared.ok) throw new Error(`${prepared.reason}: ${prepared.detail}`);
  return prepared.workspace;
}

/** Every entry below a folder with its kind, mode and content hash. */
export function listing(folder: string, skip: (path: string) => boolean = () => false): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: Buffer, name: string) => {
    if (skip(name)) return;
    const stat = lstatSync(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) found[name] = `link ${readlinkSync(path)}`;
    else if (stat.isFile())
      found[name] = `file ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    else if (!stat.isDirectory()) found[name] = `special ${mode}`;
    else {
      if (name !== "") found[name] = `folder ${mode}`;
      for (const entry of readdirSync(path, { encoding: "buffer" })) {
        walk(
          Buffer.concat([path, Buffer.from("/"), entry]),
          name === "" ? entry.toString("latin1") : `${name}/${entry.toString("latin1")}`,
        );
      }
    }
  };
  walk(Buffer.from(folder), "");
  return found;
}

/** G05: everything of a person's repository but objects, our refs and our registrations. */
export function personFingerprint(repo: string): Record<string, string> {
  const ours =
    /^\.git\/(objects|worktrees|refs\/codehands|logs\/refs\/codehands|refs\/heads\/codehands|logs\/refs\/heads\/codehands)(\/|$)/;
  return listing(repo, (path) => ours.test(path));
}
