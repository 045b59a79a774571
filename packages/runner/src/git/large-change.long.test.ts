import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffStat, diffWorkspace } from "./diff.ts";
import { PATCH_CAP_BYTES } from "./read-patch.ts";
import { readTree } from "./read-tree.ts";
import { git, makeRepo, prepare, write } from "./workspace.test-kit.ts";

test("F14 C110 a change of 150 MB: the patch is cut after a whole file and still applies, list and sums are exact, secrets are found behind the cut", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  const line = `${"abcdefg ".repeat(12)}\n`;
  const megabytes = (count: number) => line.repeat(Math.floor((count * 1024 ** 2) / line.length));
  for (const name of ["b", "c", "d", "e"]) writeFileSync(join(ws.worktree, `${name}.txt`), megabytes(36));
  write(ws.worktree, { "a.txt": "small\n", "z.txt": `token ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}\n` });
  const diff = await diffWorkspace(ws);
  expect(diff.truncated).toBe(true);
  expect(Buffer.byteLength(diff.patch)).toBeLessThanOrEqual(PATCH_CAP_BYTES);
  expect(diff.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "z.txt"]);
  const lines = Math.floor((36 * 1024 ** 2) / line.length);
  expect(diff.files.map(({ additions }) => additions)).toEqual([1, lines, lines, lines, lines, 1]);
  expect(diff.secrets).toEqual([{ path: "z.txt", line: 1, rule: expect.any(String) }]);
  const clone = join(world.root, "clone");
  git(world.root, "clone", "-q", world.repo, clone);
  execFileSync("git", ["apply", "--index"], { cwd: clone, input: diff.patch, maxBuffer: 1024 ** 3 });
  expect(git(clone, "diff", "--cached", "--name-only").split("\n")).toEqual(["a.txt", "b.txt", "z.txt"]);
  expect(await diffStat(ws, diff.treeId)).toMatchObject({ files: 6, additions: 4 * lines + 2, deletions: 3 });
  const landed = await approveWorkspace(ws, {
    message: "big",
    options: { treeId: diff.treeId, allowSecrets: true },
    at: "2026-01-01T00:00:00Z",
  });
  expect(git(world.repo, "rev-parse", `${landed.commit}^{tree}`)).toBe(diff.treeId);
});

test("F14 one line of 10 MB and 5,000 files", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "one-line.txt": "x".repeat(10 * 1024 ** 2) });
  for (let n = 0; n < 5000; n += 1) write(ws.worktree, { [`many/${n}.txt`]: `${n}\n` });
  const diff = await diffWorkspace(ws);
  expect(diff.files).toHaveLength(5001);
  expect(diff.truncated).toBeUndefined();
  expect(diff.patch.length).toBeGreaterThan(10 * 1024 ** 2);
});

test("F15 a sparse file of 3 GB is never hashed: it is told as large", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  write(ws.worktree, { "huge.bin": "", "n.txt": "n\n" });
  truncateSync(join(ws.worktree, "huge.bin"), 3 * 1024 ** 3);
  const reading = await readTree(ws);
  expect(reading.large).toEqual([{ path: "huge.bin", bytes: 3 * 1024 ** 3 }]);
  expect(git(ws.privateGitDir, "ls-tree", "--name-only", reading.treeId)).not.toContain("huge.bin");
});
