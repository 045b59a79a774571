import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { readTree } from "./read-tree.ts";
import { listing, makeRepo, prepare, tempFolder, write } from "./workspace.test-kit.ts";

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) spawnSync("umount", [folder]);
});

/** A file system of two megabytes; null where this process may not mount. */
async function smallDisk(): Promise<string | null> {
  const folder = join(await tempFolder(), "disk");
  mkdirSync(folder);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]).status !== 0) return null;
  mounted.push(folder);
  return folder;
}

test("C060 the disk is full while files are written: everything made is taken back, the repository keeps every byte", async (context) => {
  const disk = await smallDisk();
  if (disk === null) return context.skip();
  const world = await makeRepo({ "big.bin": randomBytes(4 * 1024 ** 2) });
  // git leaves the empty folder of a ref behind.
  const bytes = () => listing(world.repo, (path) => path === ".git/refs/codehands");
  const before = bytes();
  const options = world.options({ worktreeRoot: join(disk, "worktrees") });
  expect(await prepareWorkspace(options)).toMatchObject({ ok: false, reason: "disk_full" });
  expect(bytes()).toEqual(before);
  expect(existsSync(join(options.privateGitRoot, options.sessionId))).toBe(false);
  expect(readdirSync(join(disk, "worktrees")).flatMap((name) => readdirSync(join(disk, "worktrees", name)))).toEqual(
    [],
  );
});

test("the disk of the private git folder is full: the reading says so and the worktree is kept", async (context) => {
  const disk = await smallDisk();
  if (disk === null) return context.skip();
  const world = await makeRepo();
  const ws = await prepare(world, { privateGitRoot: join(disk, "git") });
  write(ws.worktree, { "big.bin": randomBytes(4 * 1024 ** 2) });
  const files = listing(ws.worktree);
  await expect(readTree(ws)).rejects.toMatchObject({ code: "disk_full" });
  expect(listing(ws.worktree)).toEqual(files);
  write(ws.worktree, { "big.bin": "small\n" });
  expect((await readTree(ws)).special).toEqual([]);
});
