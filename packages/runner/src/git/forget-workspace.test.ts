import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { dropTrashFolder, forgetWorkspace } from "./forget-workspace.ts";
import { trashWorkspace } from "./reject.ts";
import { restoreWorkspace } from "./undo.ts";
import { git, makeRepo, prepare, write } from "./workspace.test-kit.ts";

test("the trash folder goes first, what is pinned last; nothing goes while the worktree is there", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "a.txt": "x\n" });
  await expect(forgetWorkspace(ws)).rejects.toMatchObject({ code: "not_allowed" });
  expect(await dropTrashFolder(ws, world)).toBe(false);
  const { folder } = await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  await expect(forgetWorkspace(ws)).rejects.toMatchObject({ code: "not_allowed" });
  expect(await dropTrashFolder(ws, { trashRoot: world.root })).toBe(false);
  expect(await dropTrashFolder(ws, world)).toBe(true);
  expect(existsSync(folder ?? "")).toBe(false);
  expect((await restoreWorkspace(ws, world)).restored).toBe("snapshot");
  const next = { ...ws, sessionId: "11111111-1111-4111-8111-111111111111" };
  await trashWorkspace(next, { trashRoot: world.trashRoot, keepBranch: false });
  await dropTrashFolder(next, world);
  await forgetWorkspace(next);
  expect(existsSync(ws.privateGitDir)).toBe(false);
  expect(git(world.repo, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});
