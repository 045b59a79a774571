import { expect, test } from "vitest";
import { example, small } from "../packet/example.test-kit.ts";
import { resume } from "./resume.ts";
import { RESUME_SHAPES, type ResumeShape, resumeInto } from "./resume-into.ts";

test("HO-12 the example's briefing", () => {
  const text = resume(example());
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      "# Resuming: add PKCE to the OAuth login flow",
      "## Context",
      "Zero new deps. The auth module must stay framework-agnostic.",
      "## What's done",
      "- wired them into the /authorize handler",
      "## Current state",
      '  "approach": "S256 challenge"',
      "**Key files:**",
      "- `src/auth/login.ts`",
      "## Next steps",
      "- handle the token-exchange callback",
      "## Open questions",
      "- should we fall back to plain challenge for legacy clients?",
      "## Artifacts",
      "- `src/auth/pkce.ts` — new helper module",
      `Handed off by claude-opus-4-8/claude-code at 2026-07-11T12:00:00Z · v1 · session sess-9f21 · packet ${example().id}`,
    ]),
  );
  expect(text.slice(text.indexOf("## Current state"), text.indexOf("**Key files")).includes("key_files")).toBe(false);
  expect(text.endsWith("\n")).toBe(true);
});

test("HO-12 what is missing has a placeholder", () => {
  const text = resume(small());
  for (const words of ["_none recorded_", "_nothing recorded yet_", "_no working state captured_", "_none listed_"])
    expect(text).toContain(words);
  expect(resume({})).toMatch(/^# Resuming: \(no goal recorded\)\n/);
});

test("HO-12 a long goal is cut in the title and stands below in full", () => {
  const goal = `${"word ".repeat(60)}\n\nand a second paragraph`;
  const text = resume(small({ goal }));
  expect(text.split("\n")[0]).toHaveLength("# Resuming: ".length + 121);
  expect(text).toContain("## Goal\n\nword word");
  expect(text).toContain("\n\nand a second paragraph\n");
});

test("D-HO-6 of artifacts with the same path the last one stands in the briefing", () => {
  const text = resume(
    small({
      artifacts: [
        { path: "a.ts", note: "old" },
        { path: "a.ts", hash: "ab".repeat(32), note: "new" },
      ],
    }),
  );
  expect(text.match(/`a\.ts`/g)).toHaveLength(1);
  expect(text).toContain("- `a.ts` (`abababab`) — new");
});

test("HO-13 every shape holds the briefing itself", () => {
  expect(resumeInto(example(), "system-prompt")).toBe(resume(example()));
  expect(resumeInto(example(), "user-turn")).toBe(resume(example()));
  expect(resumeInto(example(), "mcp-resource")).toEqual({
    uri: `handover://packet/${example().id}`,
    mimeType: "text/markdown",
    text: resume(example()),
  });
  expect(resumeInto(small(), "mcp-resource").uri).toBe("handover://packet/draft");
  expect(resumeInto(small({ id: "../../etc" }), "mcp-resource").uri).toBe("handover://packet/draft");
  expect(RESUME_SHAPES).toEqual(["system-prompt", "user-turn", "mcp-resource"]);
  for (const shape of ["x", "__proto__", undefined])
    expect(() => resumeInto(example(), shape as ResumeShape as "user-turn")).toThrow(
      expect.objectContaining({ code: "unknown_shape" }),
    );
});
