import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patchOfFile, patchSections } from "./patch-sections.ts";

const NAMES = [
  "plain.ts",
  "with space.txt",
  "a b/b b.txt",
  "tab\there",
  "žluť.txt",
  'quo"te',
  "old.txt",
  "bin.dat",
  "empty",
];
let folder = "";
let patch = "";
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...args], {
    cwd: folder,
    encoding: "utf8",
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-patch-"));
  git("init", "-q");
  execFileSync("mkdir", ["a b"], { cwd: folder });
  for (const name of NAMES)
    writeFileSync(join(folder, name), name === "empty" ? "" : `one\ndiff --git a/x b/x\n${name}\n`);
  git("add", "-A");
  git("commit", "-qm", "first");
  for (const name of NAMES)
    if (name !== "old.txt") writeFileSync(join(folder, name), `two\n${name}\n--- a/fake\n+++ b/fake\n`);
  writeFileSync(join(folder, "bin.dat"), Buffer.from([0, 1, 2, 3, 0, 255]));
  git("mv", "old.txt", "new.txt");
  execFileSync("rm", ["plain.ts"], { cwd: folder });
  writeFileSync(join(folder, "added.ts"), "new\n");
  git("add", "-A");
  patch = git("diff", "--cached", "--binary", "--full-index", "-M", "HEAD");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the sections are the whole patch, in order", () => {
  expect(
    patchSections(patch)
      .map((section) => section.text)
      .join(""),
  ).toBe(patch);
  expect(patchSections(patch)).toHaveLength(NAMES.length + 1);
});

test("each file of real git is found by its path, odd names too", () => {
  const files = git("diff", "--cached", "--name-only", "-z", "-M", "HEAD").split("\0").filter(Boolean);
  expect(
    patchSections(patch)
      .map((section) => section.newPath)
      .sort(),
  ).toEqual(files.sort());
});

test("a renamed file is found by both names", () => {
  expect(patchOfFile(patch, "old.txt")).toContain("rename to new.txt");
  expect(patchOfFile(patch, "new.txt")).toBe(patchOfFile(patch, "old.txt"));
});

test("one file's part is a patch that git applies", () => {
  const part = patchOfFile(patch, "with space.txt");
  git("stash", "-q");
  try {
    execFileSync("git", ["apply", "--check", "-"], { cwd: folder, input: part });
  } finally {
    git("stash", "pop", "-q");
  }
  expect(patchOfFile(patch, "absent")).toBe("");
});
