import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffWorkspace } from "./diff.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { git, listing, makeRepo, prepare, write } from "./workspace.test-kit.ts";

const AT = "2026-01-01T00:00:00Z";

test("F22 the person's index.lock, config.lock and HEAD.lock do not matter and stay", async () => {
  const world = await makeRepo();
  const locks = ["index.lock", "config.lock", "HEAD.lock"].map((name) => join(world.repo, ".git", name));
  for (const lock of locks) writeFileSync(lock, "");
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  const landed = await approveWorkspace(ws, { message: "m", options: {}, at: AT });
  await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: true });
  expect(locks.map(existsSync)).toEqual([true, true, true]);
  for (const lock of locks) rmSync(lock);
  expect(git(world.repo, "rev-parse", ws.branch)).toBe(landed.commit);
});

test("F22 a lock on the branch itself: approve waits, then tells whose lock it is and changes nothing; without it the retry lands", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  const lock = join(world.repo, ".git/refs/heads", `${ws.branch}.lock`);
  writeFileSync(lock, "");
  await expect(approveWorkspace(ws, { message: "m", options: {}, at: AT })).rejects.toMatchObject({
    code: "still_changing",
    message: expect.stringContaining(lock),
  });
  expect(existsSync(lock)).toBe(true);
  rmSync(lock);
  const landed = await approveWorkspace(ws, { message: "m", options: {}, at: AT });
  expect(git(world.repo, "rev-parse", ws.branch)).toBe(landed.commit);
});

test("a lock that a killed git of ours left in the private folder does not stop the next reading", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  writeFileSync(join(ws.privateGitDir, "index.lock"), "");
  expect((await diffWorkspace(ws)).files.map(({ path }) => path)).toEqual(["a.txt"]);
});

test("a damaged index of ours is made anew", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  const { treeId } = await readTree(ws);
  writeFileSync(join(ws.privateGitDir, "index"), "garbage");
  expect((await readTree(ws)).treeId).toBe(treeId);
});

test("F15 links that loop, links out of the tree, a fifo in a file's place, files and folders that changed places", async () => {
  const world = await makeRepo({ "file.txt": "f\n", "dir/x.txt": "x\n", "dir/y.txt": "y\n", "pipe.txt": "p\n" });
  const ws = await prepare(world);
  const at = (name: string) => join(ws.worktree, name);
  symlinkSync("loop", at("loop"));
  rmSync(at("dir"), { recursive: true });
  symlinkSync("/etc", at("dir"));
  rmSync(at("file.txt"));
  mkdirSync(at("file.txt"));
  write(ws.worktree, { "file.txt/inner.txt": "i\n" });
  rmSync(at("pipe.txt"));
  spawnSync("mkfifo", [at("pipe.txt")]);
  const outside = listing("/etc", (path) => path.includes("/"));
  const diff = await diffWorkspace(ws);
  expect(diff.files.map(({ status, path }) => `${status} ${path}`).sort()).toEqual([
    "A dir",
    "A file.txt/inner.txt",
    "A loop",
    "D dir/x.txt",
    "D dir/y.txt",
    "D file.txt",
  ]);
  expect(diff.special).toEqual(["pipe.txt"]);
  expect(listing("/etc", (path) => path.includes("/"))).toEqual(outside);
});
