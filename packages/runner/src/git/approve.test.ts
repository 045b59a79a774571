import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffWorkspace } from "./diff.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { snapshotWorkspace } from "./snapshot.ts";
import { FILES, git, makeRepo, personFingerprint, prepare, type World, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";

const AT = "2026-03-04T05:06:07.000Z";
const approve = (ws: Workspace, options = {}) => approveWorkspace(ws, { message: "Fix it", options, at: AT });

/** I6: one commit over the base with this tree. */
function expectLanded(world: World, ws: Workspace, landed: { branch: string; commit: string; treeId: string }) {
  expect(landed.branch).toBe(ws.branch);
  expect(git(world.repo, "rev-parse", ws.branch)).toBe(landed.commit);
  expect(git(world.repo, "rev-list", "--count", `${ws.baseCommit}..${ws.branch}`)).toBe("1");
  expect(git(world.repo, "rev-parse", `${ws.branch}^`)).toBe(ws.baseCommit);
  expect(git(world.repo, "rev-parse", `${ws.branch}^{tree}`)).toBe(landed.treeId);
}

test("G04 approve lands one commit by the person, with the reviewed tree and fixed dates; main stays", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "changed\n", "new/file.txt": "new\n" });
  rmSync(join(ws.worktree, "src/c.ts"));
  const before = personFingerprint(world.repo);
  const { treeId } = await diffWorkspace(ws);
  const landed = await approve(ws, { treeId });
  expect(landed.treeId).toBe(treeId);
  expectLanded(world, ws, landed);
  expect(git(world.repo, "log", "-1", "--format=%an <%ae> %at %cn <%ce> %ct %s", ws.branch)).toBe(
    `Pat Person <pat@example.com> ${Date.parse(AT) / 1000} Pat Person <pat@example.com> ${Date.parse(AT) / 1000} Fix it`,
  );
  expect(personFingerprint(world.repo)).toEqual(before);
  await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: true });
  expect(existsSync(ws.worktree)).toBe(false);
  expectLanded(world, ws, landed);
  // Again, as after a crash: the same answer.
  expect(await approve(ws, { treeId })).toEqual(landed);
});

test("refusals: nothing to approve, stale tree, nested repository, large file, secret, shrunk tree, filtered path", async () => {
  const world = await makeRepo({ ...FILES, ".gitattributes": "*.sec filter=crypt\n", "k.sec": "sealed\n" });
  const ws = await prepare(world);
  const file = (name: string) => join(ws.worktree, name);
  await expect(approve(ws)).rejects.toMatchObject({
    code: "nothing_to_approve",
    message: "nothing to approve: the agent made no changes",
  });
  write(ws.worktree, { "a.txt": "x\n" });
  const { treeId } = await readTree(ws);
  write(ws.worktree, { "a.txt": "y\n" });
  await expect(approve(ws, { treeId })).rejects.toMatchObject({ code: "stale_tree" });

  git(ws.worktree, "init", "-q", "sub");
  write(ws.worktree, { "sub/x.txt": "x\n" });
  await expect(approve(ws)).rejects.toMatchObject({ code: "nested_repo", message: expect.stringContaining("sub/") });
  rmSync(file("sub"), { recursive: true });

  writeFileSync(file("big.bin"), "");
  truncateSync(file("big.bin"), 60 * 1024 ** 2);
  await expect(approve(ws)).rejects.toMatchObject({ code: "large_file", message: expect.stringContaining("big.bin") });
  rmSync(file("big.bin"));

  write(ws.worktree, { "key.txt": `hello\nexport TOKEN=ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}\n` });
  await expect(approve(ws)).rejects.toMatchObject({
    code: "secret_in_change",
    message: expect.stringContaining("key.txt:2"),
  });
  rmSync(file("key.txt"));

  write(ws.worktree, { "k.sec": "opened\n" });
  await expect(approve(ws)).rejects.toMatchObject({ code: "filtered_path", message: expect.stringContaining("k.sec") });
  // Taking the attribute away does not help: the base's rules count too.
  write(ws.worktree, { ".gitattributes": "" });
  await expect(approve(ws)).rejects.toMatchObject({ code: "filtered_path" });
  write(ws.worktree, { "k.sec": "sealed\n" });

  for (const name of ["a.txt", "src", ".gitignore"]) rmSync(file(name), { recursive: true });
  await expect(approve(ws)).rejects.toMatchObject({ code: "tree_shrunk" });
  expect(git(world.repo, "rev-parse", ws.branch)).toBe(ws.baseCommit);
  expectLanded(world, ws, await approve(ws, { allowShrunk: true }));
});

test("F20 C131 a nested repository is refused, or its files are taken in: never a bare link", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  git(ws.worktree, "init", "-q", "sub/deep");
  write(ws.worktree, {
    "sub/deep/x.txt": "x\n",
    "sub/deep/.gitignore": "junk\n",
    "sub/deep/junk": "j\n",
    "a.txt": "x\n",
  });
  git(join(ws.worktree, "sub/deep"), "add", "-A");
  git(join(ws.worktree, "sub/deep"), "commit", "-qm", "inner");
  const diff = await diffWorkspace(ws);
  expect(diff.nested).toEqual(["sub/deep/"]);
  const landed = await approve(ws, { treeId: diff.treeId, absorbNested: true });
  expectLanded(world, ws, landed);
  const tree = git(world.repo, "ls-tree", "-r", ws.branch);
  expect(tree).not.toContain("160000");
  expect(tree).toContain("sub/deep/x.txt");
  expect(tree).not.toContain("junk\n");
  expect((await diffWorkspace(ws)).nested).toEqual(["sub/deep/"]);
});

test("F24 the worktree is gone: the snapshot is shown and approved; the repository is gone: repo_missing", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n", "n.txt": "n\n" });
  const { treeId } = await snapshotWorkspace(ws);
  const before = await diffWorkspace(ws);
  rmSync(ws.worktree, { recursive: true });
  const after = await diffWorkspace(ws);
  expect(after).toMatchObject({ treeId, fromSnapshot: true, patch: before.patch, files: before.files });
  renameSync(world.repo, `${world.repo}-moved`);
  await expect(approve(ws, { treeId })).rejects.toMatchObject({ code: "repo_missing" });
  renameSync(`${world.repo}-moved`, world.repo);
  expectLanded(world, ws, await approve(ws, { treeId }));
});

test("a link in the worktree's place is not followed: the person's checkout is never read as the agent's", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  renameSync(ws.worktree, `${ws.worktree}-away`);
  symlinkSync(world.repo, ws.worktree);
  await expect(readTree(ws)).rejects.toMatchObject({ code: "worktree_missing" });
  const { leftover } = await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  expect(leftover).toBe(ws.worktree);
  expect(readFileSync(join(world.repo, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
});
