import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { snapshotWorkspace } from "./snapshot.ts";
import { git, makeRepo, prepare, write } from "./workspace.test-kit.ts";

test("C053 the agent's commits survive reject and a gc of the repository", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "x.txt": "x\n" });
  git(ws.worktree, "add", "-A");
  git(ws.worktree, "commit", "-qm", "agent's");
  const tip = git(ws.worktree, "rev-parse", "HEAD");
  await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  git(world.repo, "gc", "-q", "--prune=now");
  expect(() => git(world.repo, "cat-file", "-e", tip)).toThrow();
  const ref = git(ws.privateGitDir, "for-each-ref", "--format=%(objectname)", `refs/codehands/agent/${ws.sessionId}`);
  expect(ref).toBe(tip);
  expect(git(ws.privateGitDir, "show", `${tip}:x.txt`)).toBe("x");
});

test("C051 C059 a folder without our marker stays; another home's worktree is nobody's to clear", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  const theirs = await prepare(world, { homeId: "home-2" });
  rmSync(`${ws.worktree}.owner.json`);
  const { folder, leftover } = await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  expect({ folder, leftover }).toEqual({ folder: null, leftover: ws.worktree });
  expect(existsSync(join(ws.worktree, "a.txt"))).toBe(true);
  // A start of home-1 prunes only home-1's stale entries.
  rmSync(theirs.worktree, { recursive: true });
  await prepare(world);
  expect(git(world.repo, "worktree", "list", "--porcelain")).toContain(theirs.worktree);
});

test("C054 a stale registration of this home does not block the next start", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  rmSync(ws.worktree, { recursive: true });
  await prepare(world);
  expect(git(world.repo, "worktree", "list", "--porcelain")).not.toContain(ws.worktree);
});

test("C038 F28 a worktree that cannot be moved is told as a leftover, whole, and its content is pinned", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "x.txt": "x\n" });
  const { treeId } = await snapshotWorkspace(ws);
  // A trash on another file system: /dev/shm is one.
  const trashRoot = `/dev/shm/codehands-${ws.sessionId}`;
  try {
    const { folder, leftover, ref } = await trashWorkspace(ws, { trashRoot, keepBranch: false });
    expect({ folder, leftover }).toEqual({ folder: null, leftover: ws.worktree });
    expect(git(ws.privateGitDir, "rev-parse", `${ref}^{tree}`)).toBe(treeId);
    expect(readFileSync(join(ws.worktree, "x.txt"), "utf8")).toBe("x\n");
  } finally {
    rmSync(trashRoot, { recursive: true, force: true });
  }
});

test("a mode of 000 hides a file from nobody as root, and is told to anyone else: the reading goes on", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "locked.txt": "x\n", "open.txt": "o\n" });
  chmodSync(join(ws.worktree, "locked.txt"), 0o000);
  const { special, treeId } = await readTree(ws);
  const isRoot = process.getuid?.() === 0;
  expect(special).toEqual(isRoot ? [] : ["locked.txt"]);
  expect(git(ws.privateGitDir, "ls-tree", "--name-only", treeId)).toContain("open.txt");
});
