import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { restoreWorkspace } from "./undo.ts";
import { git, listing, makeRepo, personFingerprint, prepare, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";

const noGit = (path: string) => path === ".git";

/** An agent's tree with everything that git alone would not keep. */
function fill(ws: Workspace): void {
  write(ws.worktree, { "a.txt": "changed\n", "n/new.txt": "n\n", ".env": "SECRET=1\n", "ignored/deep/x": "x\n" });
  mkdirSync(join(ws.worktree, "empty"));
  writeFileSync(join(ws.worktree, "private.txt"), "p\n", { mode: 0o600 });
  execFileSync("mkfifo", [join(ws.worktree, "pipe")]);
  git(ws.worktree, "init", "-q", "sub");
  write(ws.worktree, { "sub/x.txt": "x\n" });
  rmSync(join(ws.worktree, "src/c.ts"));
}

test("C047 reject: worktree and branch are gone, the person's checkout keeps every byte, everything is in the trash", async () => {
  const world = await makeRepo();
  const before = personFingerprint(world.repo);
  const refs = git(world.repo, "for-each-ref", "--format=%(refname)", "refs/heads");
  const ws = await prepare(world);
  fill(ws);
  const files = listing(ws.worktree);
  const trashed = await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  expect(trashed).toMatchObject({ folder: join(world.trashRoot, ws.sessionId), leftover: null });
  expect(trashed.bytes).toBeGreaterThan(0);
  expect(listing(trashed.folder ?? "")).toEqual(files);
  expect(existsSync(ws.worktree)).toBe(false);
  expect(statSync(world.trashRoot).mode & 0o777).toBe(0o700);
  expect(git(world.repo, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(refs);
  expect(git(world.repo, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  expect(personFingerprint(world.repo)).toEqual(before);
  expect(await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false })).toEqual(trashed);
});

test("undo from the folder brings back every byte, also after a gc in the repository", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  fill(ws);
  const files = listing(ws.worktree, noGit);
  const { treeId } = await readTree(ws);
  await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  git(world.repo, "reflog", "expire", "--expire=now", "--all");
  git(world.repo, "gc", "-q", "--prune=now");
  expect(await restoreWorkspace(ws, world)).toEqual({ restored: "folder", lost: [] });
  expect(listing(ws.worktree, noGit)).toEqual(files);
  expect((await readTree(ws)).treeId).toBe(treeId);
  expect(git(ws.worktree, "rev-parse", "--show-toplevel")).toBe(ws.worktree);
  expect(git(ws.worktree, "branch", "--show-current")).toBe(ws.branch);
  expect(await restoreWorkspace(ws, world)).toEqual({ restored: "folder", lost: [] });
  // And away again, under the session that took it over.
  const next = { ...ws, sessionId: "11111111-1111-4111-8111-111111111111" };
  const again = await trashWorkspace(next, { trashRoot: world.trashRoot, keepBranch: false });
  expect(listing(again.folder ?? "", noGit)).toEqual(files);
});

test("undo from the snapshot alone brings back the tree and names what is lost; with neither it is trash_gone", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  await expect(restoreWorkspace(ws, world)).rejects.toMatchObject({ code: "trash_gone" });
  fill(ws);
  const { treeId } = await readTree(ws);
  const { folder } = await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  rmSync(folder ?? "", { recursive: true });
  const { restored, lost } = await restoreWorkspace(ws, world);
  expect(restored).toBe("snapshot");
  expect(lost).toEqual(expect.arrayContaining([".env", "ignored/", "sub/", expect.stringContaining("empty folders")]));
  expect((await readTree(ws)).treeId).toBe(treeId);
  expect(readFileSync(join(ws.worktree, "n/new.txt"), "utf8")).toBe("n\n");
  expect(existsSync(join(ws.worktree, "src/c.ts"))).toBe(false);
  expect(git(ws.worktree, "status", "--porcelain", "--", "a.txt")).toBe("M a.txt");
  expect(await restoreWorkspace(ws, world)).toEqual({ restored, lost });
});

test("C066 without git nothing is deleted and the error says so", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "x.txt": "x\n" });
  const files = listing(world.root);
  const path = process.env["PATH"];
  process.env["PATH"] = world.root;
  try {
    for (const act of [
      () => trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false }),
      () => approveWorkspace(ws, { message: "m", options: {}, at: "2026-01-01T00:00:00Z" }),
      () => readTree(ws),
    ]) {
      await expect(act()).rejects.toMatchObject({ message: expect.stringContaining("git was not found") });
    }
  } finally {
    process.env["PATH"] = path;
  }
  rmSync(world.trashRoot, { recursive: true, force: true });
  expect(listing(world.root)).toEqual(files);
});
