import type { DiffView } from "@codehands/api";
import { expect, test } from "vitest";
import { DIFF } from "../memory-device.test-kit.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { renderDiffPage } from "./diff-page.ts";

const PLAIN: TerminalFacts = { tty: true, colour: false, utf8: true, width: 80, homeFolder: "/home/me" };
const COLOUR: TerminalFacts = { ...PLAIN, colour: true };

test("what must be known comes before the patch", () => {
  const diff: DiffView = {
    ...DIFF,
    nested: ["vendor/x"],
    secrets: [{ path: "login.ts", line: 3, rule: "aws-key" }],
    configChanged: [".git/hooks/pre-commit"],
  };
  const page = renderDiffPage(diff, PLAIN);
  expect(page.split("\n").slice(0, 11)).toEqual([
    "✖ Warning: the agent changed git's own configuration or hooks. They are not part of the change:",
    "    .git/hooks/pre-commit",
    "✖ Warning: 1 line that may hold a secret:",
    "    login.ts:3  aws-key  ********",
    "! Note: repositories inside the worktree are left out (approve --absorb-nested takes them along):",
    "    vendor/x",
    "! Note: ignored by .gitignore, so not part of the change:",
    "    node_modules/",
    "",
    " M login.ts  +1 -1",
    "1 file +1 -1",
  ]);
  expect(page).toContain("\n-one\n+two\n");
});

test("changed configuration is red", () => {
  expect(renderDiffPage({ ...DIFF, configChanged: ["core.hooksPath"] }, COLOUR)).toContain(
    "\u001b[31m    core.hooksPath",
  );
});

test("a removed line that begins with -- is red, not a header", () => {
  const patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- one\n+++ two\n";
  const page = renderDiffPage({ ...DIFF, patch }, COLOUR);
  expect(page).toContain("\u001b[31m--- one\u001b[39m");
  expect(page).toContain("\u001b[32m+++ two\u001b[39m");
});

test("hostile names and lines are spelled out, C0, C1, OSC 52, bidi and zero width", () => {
  const evil = "a\u001b]52;c;eA==\u0007\u009b2J\u202e\u200b\n";
  const file = { path: evil, oldPath: evil, status: "R", additions: 1, deletions: 0, binary: false } as const;
  const diff: DiffView = {
    ...DIFF,
    patch: `diff --git a/x b/x\n@@ -0,0 +1 @@\n+${evil}`,
    files: [{ ...file, generated: true, bytes: 1 }],
    ignored: [evil],
    nested: [evil],
    secrets: [{ path: evil, line: 1, rule: evil }],
    configChanged: [evil],
  };
  const page = renderDiffPage(diff, PLAIN);
  expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e]/);
  expect(page).toContain("+a^[]52;c;eA==^G<U+009B>2J<U+202E><U+200B>");
});

test("an empty change", () => {
  expect(renderDiffPage({ ...DIFF, patch: "", files: [], ignored: [] }, PLAIN)).toBe("No changes.\n");
});

test("a patch of 10 MB is drawn line by line", () => {
  const patch = `diff --git a/x b/x\n@@ -1 +1 @@\n${"+\u001b[31mline\n".repeat(800_000)}`;
  const page = renderDiffPage({ ...DIFF, patch }, COLOUR);
  expect(page.endsWith("\u001b[32m+^[[31mline\u001b[39m\n")).toBe(true);
});
