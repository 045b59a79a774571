import { describe, expect, test } from "vitest";
import { example, small } from "../packet/example.test-kit.ts";
import { completeness } from "./completeness.ts";

describe("HO-11 the score", () => {
  test("all seven, none, two", () => {
    expect(completeness(example())).toEqual({
      score: 1,
      total: 7,
      present: ["goal", "context", "progress", "state", "next_steps", "open_questions", "artifacts"],
      missing: [],
      warnings: [],
    });
    for (const nothing of [null, undefined, 1, "x", [], {}]) {
      expect(completeness(nothing)).toMatchObject({ score: 0, total: 7, present: [] });
      expect(completeness(nothing).missing).toHaveLength(7);
    }
    expect(completeness({ goal: "g", context: "c" }).score).toBe(2 / 7);
  });

  test("blank texts, empty lists, lists of nothing and an empty state do not count", () => {
    const hollow = {
      goal: " ",
      context: "\n",
      progress: [],
      next_steps: [""],
      artifacts: [{}],
      open_questions: [1],
      state: {},
    };
    expect(completeness(hollow).present).toEqual([]);
  });
});

describe("HO-11 the warnings", () => {
  const warningsOf = (more: object): string => completeness({ ...example(), ...more }).warnings.join("\n");

  test("what strands a resumer is said", () => {
    expect(warningsOf({ next_steps: [] })).toMatch(/no next steps/);
    expect(warningsOf({ artifacts: [] })).toMatch(/no artifacts listed/);
    expect(warningsOf({ state: {} })).toMatch(/no working state captured/);
    expect(warningsOf({ progress: ["edited src/router.js and docs/a.md"] })).toMatch(
      /src\/router\.js is named.*\n.*docs\/a\.md is named/,
    );
  });

  test.each([
    ["edited src/router.js:12:4.", { artifacts: [{ path: "src/router.js" }] }],
    ["edited router.js", { artifacts: [{ path: "src/router.js" }] }],
    ["edited `packages/a/src/router.js`", { state: { key_files: ["src/router.js"] } }],
    ["edited .\\src\\router.js", { artifacts: [{ path: "./src/router.js" }] }],
    ["wrote the verifier/challenge and moved to Node.js, see https://example.com/a.html", {}],
  ])("no warning for %j with %j", (note, more) => expect(warningsOf({ progress: [note], ...more })).toBe(""));

  test("D-HO-15 secrets, e-mail addresses and paths of a machine are pointed at", () => {
    const secret = `ghp_${"a1".repeat(18)}`;
    expect(warningsOf({ context: `token ${secret}` })).toMatch(/^context seems to hold a secret/);
    expect(warningsOf({ context: `token ${secret}` })).not.toContain(secret);
    const provenance = {
      handed_off_by: "me@example.com",
      created: "2026-07-11T12:00:00Z",
      from_session: "/home/me/x.jsonl",
    };
    expect(warningsOf({ provenance })).toMatch(/handed_off_by holds an e-mail address\n.*from_session holds a path/);
  });

  test("D-HO-2 from 64 KiB on the size is pointed at", () => {
    expect(warningsOf({ context: "x ".repeat(32 * 1024) })).toMatch(/the packet has 65 KiB/);
  });

  test("at most eight", () => {
    const progress = Array.from({ length: 30 }, (_, at) => `touched src/file${at}.js`);
    const { warnings } = completeness(small({ progress }));
    expect(warnings).toHaveLength(8);
    expect(warnings.at(-1)).toMatch(/^and 26 more$/);
  });
});

// The public implementation needs hours for this; the time limit of the test is what it is held to.
test.each([
  ["one word", "x".repeat(1024 * 1024)],
  ["one word with a dot in every second place", "x.".repeat(512 * 1024)],
  ["one word of slashes", "a/".repeat(512 * 1024)],
  ["a million words", "a ".repeat(512 * 1024)],
  ["a hundred thousand files", Array.from({ length: 100_000 }, (_, at) => `f${at}.ts`).join(" ")],
  ["paths of a thousand folders", `${"a/".repeat(100)}x.ts `.repeat(5000)],
  ["half a secret without an end", "-----BEGIN PRIVATE KEY-----sk-eyJ".repeat(30_000)],
])("D-HO-3 completeness is linear: 1 MiB of progress as %s", { timeout: 10_000 }, (_name, word) => {
  const path = "a/".repeat(512 * 1024);
  expect(completeness(small({ progress: [word], artifacts: [{ path }] })).present).toContain("progress");
});
