import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { FILES, git, listing, makeRepo, makeWorld, personFingerprint, prepare, write } from "./workspace.test-kit.ts";

test("G05 a worktree on a new branch; the person's checkout, index, HEAD, config and hooks keep every byte", async () => {
  const world = await makeRepo();
  const before = personFingerprint(world.repo);
  const options = world.options();
  const prepared = await prepareWorkspace(options);
  if (!prepared.ok) throw new Error(prepared.detail);
  const { workspace } = prepared;
  const id8 = options.sessionId.slice(0, 8);
  expect(personFingerprint(world.repo)).toEqual(before);
  expect(workspace.branch).toBe(`codehands/fix-the-failing-test-${id8}`);
  expect(workspace.worktree).toBe(join(realpathSync(options.worktreeRoot), prepared.repoKey, id8));
  expect(prepared.baseRef).toBe("main");
  expect(git(workspace.worktree, "status", "--porcelain")).toBe("");
  expect(git(workspace.worktree, "branch", "--show-current")).toBe(workspace.branch);
  for (const [name, text] of Object.entries(FILES)) {
    expect(readFileSync(join(workspace.worktree, name), "utf8")).toBe(text);
  }
});

test("prepare again with the same id gives the same workspace and keeps the agent's files", async () => {
  const world = await makeRepo();
  const options = world.options();
  const first = await prepareWorkspace(options);
  if (!first.ok) throw new Error(first.detail);
  write(first.workspace.worktree, { "new.txt": "kept\n" });
  const before = listing(world.root);
  expect(await prepareWorkspace(options)).toEqual(first);
  expect(listing(world.root)).toEqual(before);
});

test("a folder without a repository and a repository without a commit: the sentence, and nothing is made", async () => {
  const world = await makeWorld();
  mkdirSync(world.repo);
  const plain = await prepareWorkspace(world.options());
  expect(plain).toMatchObject({ ok: false, reason: "not_a_repo" });
  expect(plain).toMatchObject({ detail: expect.stringContaining("is not a git repo or has no commits yet") });
  git(world.repo, "init", "-q");
  const before = listing(world.repo);
  const empty = await prepareWorkspace(world.options());
  expect(empty).toMatchObject({ ok: false, reason: "not_a_repo" });
  expect(empty).toMatchObject({ detail: expect.stringContaining("is not a git repo or has no commits yet") });
  expect(listing(world.repo)).toEqual(before);
  expect(existsSync(join(world.root, "hands/worktrees"))).toBe(false);
});

test("C108 a path or base that begins with a dash is refused before git sees it", async () => {
  const world = await makeRepo();
  const path = await prepareWorkspace(world.options({ repoPath: "--upload-pack=touch pwned" }));
  expect(path).toMatchObject({ ok: false, reason: "not_a_repo" });
  const base = await prepareWorkspace(world.options({ base: "--output=pwned" }));
  expect(base).toMatchObject({ ok: false, reason: "unsupported_repo" });
});

test("a base by name is where the work starts; an unknown one is refused", async () => {
  const world = await makeRepo();
  const first = git(world.repo, "rev-parse", "HEAD");
  git(world.repo, "tag", "v1");
  write(world.repo, { "later.txt": "x\n" });
  git(world.repo, "add", "-A");
  git(world.repo, "commit", "-qm", "second");
  const ws = await prepare(world, { base: "v1" });
  expect(ws.baseCommit).toBe(first);
  expect(existsSync(join(ws.worktree, "later.txt"))).toBe(false);
  expect(await prepareWorkspace(world.options({ base: "nope" }))).toMatchObject({
    ok: false,
    reason: "unsupported_repo",
  });
});

test("F23 a branch named codehands blocks, and so does a branch of the same name: told before anything is made", async () => {
  const world = await makeRepo();
  git(world.repo, "branch", "codehands");
  const before = listing(world.repo);
  const blocked = await prepareWorkspace(world.options());
  expect(blocked).toMatchObject({
    ok: false,
    reason: "branch_blocked",
    detail: expect.stringContaining("git branch -m codehands"),
  });
  expect(listing(world.repo)).toEqual(before);
  git(world.repo, "branch", "-D", "codehands");
  const options = world.options();
  git(world.repo, "branch", `codehands/fix-the-failing-test-${options.sessionId.slice(0, 8)}`);
  expect(await prepareWorkspace(options)).toMatchObject({ ok: false, reason: "branch_blocked" });
});

test("C042 a taken place is never removed: a stranger's folder gives a new suffix, even an empty one", async () => {
  const world = await makeRepo();
  const options = world.options();
  const first = await prepare(world, options);
  const other = world.options({
    sessionId: `${options.sessionId.slice(0, 8)}-0000-4000-8000-000000000000`,
    prompt: "Other",
  });
  const second = await prepare(world, other);
  expect(second.worktree).toBe(`${first.worktree}-2`);
  const third = world.options();
  const place = join(first.worktree, "..", third.sessionId.slice(0, 8));
  write(place, { "precious.txt": "mine\n" });
  expect((await prepare(world, third)).worktree).toBe(`${place}-2`);
  expect(readFileSync(join(place, "precious.txt"), "utf8")).toBe("mine\n");
});

test("C060 C062 a failed start takes everything back and keeps the reason", async () => {
  const world = await makeRepo();
  const before = listing(world.repo);
  write(world.root, { blocked: "a file where the root should be\n" });
  const options = world.options({ worktreeRoot: join(world.root, "blocked/root") });
  expect(await prepareWorkspace(options)).toMatchObject({ ok: false, reason: "spawn_failed" });
  expect(listing(world.repo)).toEqual(before);
  expect(existsSync(join(options.privateGitRoot, options.sessionId))).toBe(false);
});
