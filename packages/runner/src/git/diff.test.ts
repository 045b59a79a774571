import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diffStat, diffWorkspace } from "./diff.ts";
import { readTree } from "./read-tree.ts";
import { FILES, git, listing, makeRepo, prepare, type World, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";

/** The tree that `git apply` makes of the base and a patch. */
function applied(world: World, ws: Workspace, patch: string): string {
  const clone = join(world.root, `clone-${Math.floor(performance.now() * 1000)}`);
  git(world.root, "clone", "-q", world.repo, clone);
  git(clone, "checkout", "-q", ws.baseCommit);
  if (patch !== "") execFileSync("git", ["apply", "--index", "--whitespace=nowarn"], { cwd: clone, input: patch });
  return git(clone, "write-tree");
}

test("the patch applies and gives the tree; files, sums and kinds are exact", async () => {
  const world = await makeRepo({
    ...FILES,
    "old.bin": Buffer.from([0, 1, 2]),
    "move-me.txt": "1\n2\n3\n4\n5\n6\n",
    "run.sh": "#!/bin/sh\n",
  });
  const ws = await prepare(world);
  write(ws.worktree, {
    "a.txt": "one\n2\nthree\nfour\n",
    "new/n.txt": "n\n",
    "old.bin": Buffer.from([0, 9]),
    "package-lock.json": "{}\n",
  });
  rmSync(join(ws.worktree, "src/c.ts"));
  renameSync(join(ws.worktree, "move-me.txt"), join(ws.worktree, "moved.txt"));
  symlinkSync("/etc/passwd", join(ws.worktree, "link"));
  rmSync(join(ws.worktree, "src/b.ts"));
  symlinkSync("c.ts", join(ws.worktree, "src/b.ts"));
  execFileSync("chmod", ["755", join(ws.worktree, "run.sh")]);
  write(ws.worktree, { ".env": "SECRET=1\n", "ignored/x": "x\n" });
  const diff = await diffWorkspace(ws);
  expect(applied(world, ws, diff.patch)).toBe(diff.treeId);
  const of = (path: string) => diff.files.find((file) => file.path === path);
  expect(of("a.txt")).toMatchObject({ status: "M", additions: 2, deletions: 1, binary: false, generated: false });
  expect(of("moved.txt")).toMatchObject({ status: "R", oldPath: "move-me.txt", additions: 0 });
  expect(of("old.bin")).toMatchObject({ status: "M", binary: true, bytes: 2 });
  expect(of("src/c.ts")).toMatchObject({ status: "D", deletions: 1 });
  expect(of("src/b.ts")).toMatchObject({ status: "T" });
  // F15: a link is its target's name, never the target's content.
  expect(of("link")).toMatchObject({ status: "A", bytes: "/etc/passwd".length });
  expect(diff.patch).not.toContain("root:");
  expect(of("package-lock.json")).toMatchObject({ generated: true });
  expect(diff.ignored.sort()).toEqual([".env", "ignored/"]);
  expect(diff.configChanged).toEqual([]);
  const sums = await diffStat(ws, diff.treeId);
  expect(sums).toMatchObject({ files: diff.files.length, additions: 6, deletions: 3 });
  expect(diff.stat).toContain(`${diff.files.length} files changed`);
});

test("F16 names of any bytes: read, diffed and landed as they are, text only at the end", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  const names = [
    "-rf",
    "--",
    ":(top)x",
    "a\nb",
    'q"uote',
    "tab\there",
    "tr ail ",
    "dot.",
    "*",
    "?",
    "[x]",
    "\\back",
    "CON",
    "ünï",
    "🎉",
    "n".repeat(255),
    "git~1",
    "~home",
    "#c",
    "$(id)",
  ];
  for (const name of names) writeFileSync(join(ws.worktree, name), `${name}\n`);
  const raw = Buffer.concat([Buffer.from(`${ws.worktree}/bad`), Buffer.from([0xff]), Buffer.from(".txt")]);
  writeFileSync(raw, "raw\n");
  mkdirSync(join(ws.worktree, "--dir"));
  writeFileSync(join(ws.worktree, "--dir/-x"), "x\n");
  const diff = await diffWorkspace(ws);
  const paths = diff.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([...names.filter((name) => name !== "git~1"), "--dir/-x", "bad\ufffd.txt"]),
  );
  // git cannot hold this one: told, not passed over in silence.
  expect(diff.special).toEqual(["git~1"]);
  expect(applied(world, ws, diff.patch)).toBe(diff.treeId);
  expect(
    execFileSync("git", ["ls-tree", "-z", "--name-only", diff.treeId], { cwd: ws.privateGitDir }).includes(
      Buffer.from([0x62, 0x61, 0x64, 0xff]),
    ),
  ).toBe(true);
});

test("text that is not UTF-8 still applies, and an agent cannot hide text by calling it binary or generated", async () => {
  const world = await makeRepo({
    ...FILES,
    "latin1.txt": Buffer.from("caf\xe9\n", "latin1"),
    ".gitattributes": "gen/* linguist-generated\n",
  });
  const ws = await prepare(world);
  write(ws.worktree, {
    "latin1.txt": Buffer.from("caf\xe9 ol\xe9\n", "latin1"),
    ".gitattributes": "*.ts -diff linguist-generated\n",
    "src/b.ts": "export const evil = 1;\n",
    "gen/x.ts": "x\n",
  });
  const diff = await diffWorkspace(ws);
  expect(applied(world, ws, diff.patch)).toBe(diff.treeId);
  expect(diff.patch).toContain("+export const evil = 1;");
  expect(diff.files.find(({ path }) => path === "src/b.ts")).toMatchObject({ binary: false, generated: false });
  expect(diff.files.find(({ path }) => path === "gen/x.ts")).toMatchObject({ generated: true });
});

test("secrets are found in added lines alone, with the line of the new file", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const world = await makeRepo({ "old.txt": `${token}\nx\ny\nz\n`, "b.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  const ws = await prepare(world);
  write(ws.worktree, { "old.txt": "x\ny\nz\n", "b.txt": `1\n2\n3\n4\n5\n6\n7\n8\nkey ${token}\n9\n` });
  const { secrets } = await diffWorkspace(ws);
  expect(secrets).toEqual([{ path: "b.txt", line: 9, rule: expect.any(String) }]);
});

test("F20 F21 a nested repository and ignored files are listed and not part of the change", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  git(ws.worktree, "init", "-q", "sub");
  write(ws.worktree, { "sub/x.txt": "x\n", "ignored/dist.js": "d\n" });
  const diff = await diffWorkspace(ws);
  expect(diff).toMatchObject({ files: [], patch: "", nested: ["sub/"], ignored: ["ignored/"] });
});

test("C041 without a .git file git does not walk up into another repository: diff reads this tree, nothing else changes", async () => {
  const world = await makeRepo();
  // The worktree root lies inside the person's repository: the worst place.
  const ws = await prepare(world, { worktreeRoot: join(world.repo, "ignored/worktrees") });
  rmSync(join(ws.worktree, ".git"));
  write(ws.worktree, { "a.txt": "mine\n" });
  const before = listing(world.repo, (path) => path.startsWith("ignored"));
  const diff = await diffWorkspace(ws);
  expect(diff.files.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(listing(world.repo, (path) => path.startsWith("ignored"))).toEqual(before);
});

test("F27 a gc in the repository takes blobs that the agent had added: the tree is read anew, the same", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "new.txt": "new\n", "a.txt": "changed\n" });
  git(ws.worktree, "add", "-A");
  const { treeId } = await readTree(ws);
  git(ws.worktree, "reset", "-q");
  git(world.repo, "gc", "-q", "--prune=now");
  write(ws.worktree, { "more.txt": "more\n" });
  const again = await readTree(ws);
  expect(again.treeId).not.toBe(treeId);
  expect(git(ws.privateGitDir, "ls-tree", "--name-only", again.treeId).split("\n")).toEqual([
    ".gitignore",
    "a.txt",
    "more.txt",
    "new.txt",
    "src",
  ]);
  expect((await diffWorkspace(ws)).patch).toContain("+changed");
});
