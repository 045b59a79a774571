import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isSampleRepo, makeSampleRepo, SAMPLE_ROOT } from "./make-sample-repo.ts";
import { SAMPLE_BUG, SAMPLE_FIX, SAMPLE_SOURCE } from "./sample-files.ts";

let root: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const source = () => readFileSync(join(root, SAMPLE_SOURCE), "utf8");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sample-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("makeSampleRepo", () => {
  it("makes a repository with one commit, always the same one, on branch main", async () => {
    expect(await makeSampleRepo(root)).toEqual({ directory: root, commit: SAMPLE_ROOT, state: "made" });
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
    expect(git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(git("status", "--porcelain")).toBe("");
    expect(source()).toContain(SAMPLE_BUG);
  });

  it("makes the folder, too", async () => {
    const inside = join(root, "a", "b");
    expect((await makeSampleRepo(inside)).state).toBe("made");
  });

  it("has tests that fail before the fix and pass after it", async () => {
    await makeSampleRepo(root);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const test = () => execFileSync("npm", ["test"], { cwd: root, env, stdio: "pipe" });
    expect(test).toThrow();
    writeFileSync(join(root, SAMPLE_SOURCE), source().replace(SAMPLE_BUG, SAMPLE_FIX));
    expect(test).not.toThrow();
  });

  it("keeps a sample that is as it should be", async () => {
    await makeSampleRepo(root);
    expect(await makeSampleRepo(root)).toEqual({ directory: root, commit: SAMPLE_ROOT, state: "kept" });
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
  });

  it("brings the bug back by a commit on top and loses nothing that was not committed", async () => {
    await makeSampleRepo(root);
    const mended = source().replace(SAMPLE_BUG, SAMPLE_FIX);
    writeFileSync(join(root, SAMPLE_SOURCE), mended);
    writeFileSync(join(root, "notes.txt"), "mine\n");
    expect((await makeSampleRepo(root)).state).toBe("reset");
    expect(source()).toContain(SAMPLE_BUG);
    expect(existsSync(join(root, "notes.txt"))).toBe(false);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("show", `HEAD~1:${SAMPLE_SOURCE}`)).toBe(mended.trim());
    expect(git("show", "HEAD~1:notes.txt")).toBe("mine");
    expect(git("rev-parse", "HEAD^{tree}")).toBe(git("rev-parse", `${SAMPLE_ROOT}^{tree}`));
  });

  it("refuses a folder that holds something else and changes nothing in it", async () => {
    writeFileSync(join(root, "thesis.txt"), "mine\n");
    await expect(makeSampleRepo(root)).rejects.toMatchObject({ code: "not_allowed" });
    git("init", "-q");
    await expect(makeSampleRepo(root)).rejects.toMatchObject({ code: "not_allowed" });
    expect(git("status", "--porcelain")).toBe("?? thesis.txt");
    expect(await isSampleRepo(root)).toBe(false);
  });

  it("refuses while no branch is checked out", async () => {
    await makeSampleRepo(root);
    git("checkout", "-q", "--detach");
    await expect(makeSampleRepo(root)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("does not look at the person's git configuration", async () => {
    const home = mkdtempSync(join(tmpdir(), "sample-home-"));
    const before = process.env["HOME"];
    try {
      writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Somebody\n[init]\n\tdefaultBranch = trunk\n");
      process.env["HOME"] = home;
      expect((await makeSampleRepo(root)).commit).toBe(SAMPLE_ROOT);
    } finally {
      process.env["HOME"] = before;
      rmSync(home, { recursive: true, force: true });
    }
  });
});
