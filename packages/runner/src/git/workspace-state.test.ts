import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "./read-tree.ts";
import { git, makeRepo, personFingerprint, prepare, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";
import { checkWorkspace } from "./workspace-state.ts";

const adminOf = (ws: Workspace) => readFileSync(join(ws.worktree, ".git"), "utf8").trim().slice("gitdir: ".length);

test.each<[string, (ws: Workspace) => void]>([
  ["the registration is deleted (C029)", (ws) => rmSync(adminOf(ws), { recursive: true })],
  ["the .git file is deleted (C041)", (ws) => rmSync(join(ws.worktree, ".git"))],
  [
    "the .git file names another repository",
    (ws) => writeFileSync(join(ws.worktree, ".git"), `gitdir: ${ws.repoPath}/.git\n`),
  ],
  [
    "the .git file is a repository of its own",
    (ws) => (rmSync(join(ws.worktree, ".git")), git(ws.worktree, "init", "-q")),
  ],
  ["commondir leads elsewhere", (ws) => writeFileSync(join(adminOf(ws), "commondir"), "/tmp\n")],
  ["HEAD is garbage", (ws) => writeFileSync(join(adminOf(ws), "HEAD"), "garbage\n")],
  [
    "branch and registration are gone",
    (ws) => (rmSync(adminOf(ws), { recursive: true }), git(ws.repoPath, "branch", "-D", ws.branch)),
  ],
])(
  "%s: repaired before a resume, the agent's git works on its own branch, the main checkout keeps every byte",
  async (_, harm) => {
    const world = await makeRepo();
    const ws = await prepare(world);
    write(ws.worktree, { "a.txt": "agent's\n" });
    const { treeId } = await readTree(ws);
    harm(ws);
    const before = personFingerprint(world.repo);
    expect(await checkWorkspace(ws)).toEqual({ ok: true });
    expect(git(ws.worktree, "rev-parse", "--show-toplevel")).toBe(ws.worktree);
    expect(git(ws.worktree, "branch", "--show-current")).toBe(ws.branch);
    expect(git(ws.worktree, "status", "--porcelain")).toBe("M a.txt");
    write(ws.worktree, { "b.txt": "b\n" });
    git(ws.worktree, "add", "-A");
    git(ws.worktree, "commit", "-qm", "by the agent");
    expect(personFingerprint(world.repo)).toEqual(before);
    rmSync(join(ws.worktree, "b.txt"));
    expect((await readTree(ws)).treeId).toBe(treeId);
  },
);

test("what cannot be repaired is told: worktree gone, moved (C048), replaced by a file, repository gone", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  git(world.repo, "worktree", "move", "-f", "-f", ws.worktree, `${ws.worktree}-moved`);
  expect(await checkWorkspace(ws)).toMatchObject({
    ok: false,
    reason: "worktree_missing",
    detail: expect.stringContaining(`git worktree move -f -f ${ws.worktree}-moved`),
  });
  git(world.repo, "worktree", "move", "-f", "-f", `${ws.worktree}-moved`, ws.worktree);
  expect(await checkWorkspace(ws)).toEqual({ ok: true });
  renameSync(ws.worktree, `${ws.worktree}-gone`);
  expect(await checkWorkspace(ws)).toMatchObject({ ok: false, reason: "worktree_missing" });
  writeFileSync(ws.worktree, "a file\n");
  expect(await checkWorkspace(ws)).toMatchObject({ ok: false, reason: "worktree_missing" });
  renameSync(world.repo, `${world.repo}-moved`);
  expect(await checkWorkspace(ws)).toMatchObject({ ok: false, reason: "repo_missing" });
  mkdirSync(world.repo);
  expect(await checkWorkspace(ws)).toMatchObject({ ok: false, reason: "repo_missing" });
});
