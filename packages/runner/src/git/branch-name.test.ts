import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { branchName, slugify } from "./branch-name.ts";

const ID = "3f2a9c1e-7d3b-4b57-9a39-0c6f2a1b4d5e";

test("branchName is codehands/<slug>-<id8>", () => {
  expect(branchName("Fix the failing test", ID)).toBe("codehands/fix-the-failing-test-3f2a9c1e");
});

test.each([
  ["  Hello,   World! ", "hello-world"],
  ["Löse das Übel – schnell", "lose-das-ubel-schnell"],
  ["修复测试", "task"],
  ["", "task"],
  ["../../etc/passwd", "etc-passwd"],
  ["--upload-pack=touch x", "upload-pack-touch-x"],
  ["a.lock", "a-lock"],
  ["@{-1}~^:?*[\\", "1"],
  ["🎉 ship it", "ship-it"],
])("slugify(%j) is %j", (text, slug) => {
  expect(slugify(text)).toBe(slug);
});

test("a long text is cut at a word's end, a word without end is cut hard", () => {
  expect(slugify("refactor the whole authentication module of this service")).toBe(
    "refactor-the-whole-authentication-module",
  );
  expect(slugify("x".repeat(500))).toBe("x".repeat(40));
});

test("every text gives a slug of 1 to 40 safe characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(slugify(text)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
    }),
  );
});

test("git takes the branch name", () => {
  for (const prompt of ["Fix it", "修复", "a..b.lock@{x}", "-x"]) {
    execFileSync("git", ["check-ref-format", "--branch", branchName(prompt, ID)]);
  }
});
