import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffWorkspace } from "./diff.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { git, makeRepo, prepare, type World, write } from "./workspace.test-kit.ts";
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

const MESS: [string, (ws: Workspace) => void][] = [
  ["commits", (ws) => commitAll(ws, "one", "two")],
  ["switches to another branch", (ws) => (git(ws.worktree, "switch", "-qc", "other"), commitAll(ws, "on other"))],
  ["renames its branch", (ws) => (commitAll(ws, "one"), git(ws.worktree, "branch", "-m", "renamed"))],
  ["detaches and commits (C132)", (ws) => (git(ws.worktree, "checkout", "-q", "--detach"), commitAll(ws, "loose"))],
  ["amends the base", (ws) => (git(ws.worktree, "commit", "-q", "--amend", "-m", "rewritten"), commitAll(ws, "x"))],
  ["resets to an orphan", (ws) => (git(ws.worktree, "checkout", "-q", "--orphan", "fresh"), commitAll(ws, "root"))],
  [
    "deletes its branch",
    (ws) => (git(ws.worktree, "checkout", "-q", "--detach"), git(ws.worktree, "branch", "-qD", ws.branch)),
  ],
  ["stashes", (ws) => git(ws.worktree, "stash", "-q")],
  [
    "makes its branch a link to main",
    (ws) => git(ws.worktree, "symbolic-ref", `refs/heads/${ws.branch}`, "refs/heads/main"),
  ],
];

function commitAll(ws: Workspace, ...messages: string[]): void {
  for (const message of messages) {
    write(ws.worktree, { [`${message}.txt`]: message });
    git(ws.worktree, "add", "-A");
    git(ws.worktree, "commit", "-qm", message);
  }
}

test.each(MESS)(
  "F23 C057 the agent %s: still one commit over the base with the final tree, its commits kept",
  async (_, mess) => {
    const world = await makeRepo();
    const main = git(world.repo, "rev-parse", "main");
    const ws = await prepare(world);
    write(ws.worktree, { "src/b.ts": "export const b = 2;\n" });
    mess(ws);
    const own = git(ws.worktree, "log", "--format=%H", "-1");
    write(ws.worktree, { "last.txt": "last\n" });
    const landed = await approve(ws);
    expectLanded(world, ws, landed);
    expect(git(world.repo, "show", `${ws.branch}:last.txt`)).toBe("last");
    expect(git(world.repo, "rev-parse", "main")).toBe(main);
    expect(git(world.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
    await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: true });
    git(world.repo, "reflog", "expire", "--expire=now", "--all");
    git(world.repo, "gc", "-q", "--prune=now");
    // The agent's own last commit is whole in the private git folder.
    if (own === ws.baseCommit) return;
    git(
      ws.privateGitDir,
      `--git-dir=${ws.privateGitDir}`,
      "-c",
      "safe.bareRepository=all",
      "cat-file",
      "-e",
      `${own}^{tree}`,
    );
  },
);

test("a refusal that the person lifts: secrets and large files are landed when told so", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "key.txt": `TOKEN=ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}\n`, "big.bin": "" });
  truncateSync(join(ws.worktree, "big.bin"), 51 * 1024 ** 2);
  const { treeId } = await readTree(ws);
  const landed = await approve(ws, { treeId, allowSecrets: true, allowLarge: true });
  expectLanded(world, ws, landed);
  expect(git(world.repo, "ls-tree", "-r", "--name-only", ws.branch).split("\n")).toEqual(
    expect.arrayContaining(["big.bin", "key.txt"]),
  );
});

test("the agent's name and mail in the worktree's configuration do not become the author (C119: no shell either)", async () => {
  const world = await makeRepo();
  git(world.repo, "config", "user.email", "$(touch pwned)@example.com");
  const ws = await prepare(world);
  git(ws.worktree, "config", "user.name", "Mallory");
  write(ws.worktree, { "a.txt": "x\n" });
  const { commit } = await approve(ws);
  expect(git(world.repo, "log", "-1", "--format=%an <%ae>", commit)).toBe("Pat Person <$(touch pwned)@example.com>");
});

test("without a name of the person the author is Code Hands", async () => {
  const world = await makeRepo();
  writeFileSync(join(world.root, "person/.gitconfig"), "");
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  const { commit } = await approve(ws);
  expect(git(world.repo, "log", "-1", "--format=%an <%ae>", commit)).toBe("Code Hands <codehands@localhost>");
});

test("F23 a branch that is checked out elsewhere is not moved under the person's feet", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  git(ws.worktree, "checkout", "-q", "--detach");
  git(world.repo, "checkout", "-q", ws.branch);
  await expect(approve(ws)).rejects.toMatchObject({
    code: "branch_moved",
    message: expect.stringContaining(world.repo),
  });
  git(world.repo, "checkout", "-q", "main");
  expectLanded(world, ws, await approve(ws));
});

test("F25 hooks, signing, templates and a missing address of the repository do not matter", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  mkdirSync(join(world.repo, ".git/hooks"), { recursive: true });
  for (const hook of ["pre-commit", "commit-msg", "prepare-commit-msg", "reference-transaction", "post-commit"]) {
    writeFileSync(join(world.repo, ".git/hooks", hook), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  }
  git(world.repo, "config", "commit.gpgSign", "true");
  git(world.repo, "config", "gpg.program", "/bin/false");
  git(world.repo, "config", "commit.template", "/nowhere");
  git(world.repo, "config", "user.useConfigOnly", "true");
  write(ws.worktree, { "a.txt": "x\n" });
  const diff = await diffWorkspace(ws);
  expect(diff.configChanged).toEqual(
    expect.arrayContaining([
      "config commit.gpgsign",
      "config gpg.program",
      "hook pre-commit",
      "hook reference-transaction",
    ]),
  );
  expectLanded(world, ws, await approve(ws));
});
