import { describe, expect, test } from "vitest";
import { pack } from "../construct/pack.ts";
import type { Draft } from "../packet/packet.ts";
import { linesOf } from "../transcript/lines-of.ts";
import { recording } from "./recording.test-kit.ts";
import { ADAPTERS } from "./registry.ts";

const draft = (parts: Partial<Draft>): Draft => ({
  goal: "",
  context: "",
  progress: [],
  state: {},
  next_steps: [],
  open_questions: [],
  artifacts: [],
  ...parts,
});

const TASK = "Fix the failing test. Run npm test to check.";
const began = (words: string): string => `Continue the task that began with: ${words}`;
const FIXED = "Fixed: the month is now one based. All tests pass.";
const FILES = [{ path: "src/format-date.js" }];

const GOLDEN: [harness: string, name: string, draft: Draft][] = [
  [
    "claude-code",
    "claude-success-and-resume.transcript",
    draft({
      progress: ["ran `npm test`: failed", "ran `npm test`: succeeded"],
      goal: "Now add a note to README.md",
      context: "Added the note.",
      artifacts: [...FILES, { path: "README.md" }],
    }),
  ],
  ["claude-code", "claude-subagent.transcript", draft({ goal: TASK, context: "The helper has answered." })],
  ["claude-code", "claude-subagent.subagent-transcript", draft({})],
  [
    "claude-code",
    "claude-stop-then-resume.transcript",
    draft({ progress: ["ran `npm run slow`: failed"], goal: "Go on without the slow command", context: "Going on." }),
  ],
  [
    "claude-code",
    "claude-kill-then-resume.transcript",
    draft({ progress: ["ran `npm run slow`: failed"], goal: "Go on", context: "Going on." }),
  ],
  [
    "claude-code",
    "claude-success",
    draft({
      progress: ["ran `npm test`: failed", "ran `npm test`: succeeded"],
      goal: began("I will run the tests and read the file."),
      context: FIXED,
      artifacts: FILES,
    }),
  ],
  [
    "claude-code",
    "claude-interrupt-control",
    draft({ progress: ["ran `npm run slow`: failed"], goal: began("Slow."), context: "Slow." }),
  ],
  [
    "claude-code",
    "claude-subagent-forward-text",
    draft({ goal: began("The helper has answered."), context: "The helper has answered." }),
  ],
  ["claude-code", "claude-input-stream-json", draft({ goal: "Second message", context: "Two." })],
  [
    "claude-code",
    "claude-permission-denied",
    draft({
      progress: ["ran `npm install left-pad`: failed", "ran `git push origin main`: failed"],
      goal: began("I will install a package."),
      context: "I was not allowed to do that.",
    }),
  ],
  ["claude-code", "claude-oauth-usage-limit", draft({})],
  [
    "codex",
    "codex-success.rollout",
    draft({
      goal: "What changed?",
      context: "Two files changed.",
      progress: ["Fix the month", "Run the tests"],
      artifacts: [...FILES, { path: "src/new.js" }],
    }),
  ],
  ["codex", "codex-stop-then-resume.rollout", draft({ goal: "Go on", context: "Going on." })],
  ["codex", "codex-mcp-tool.rollout", draft({ goal: TASK, context: "Done." })],
  [
    "codex",
    "codex-success",
    draft({
      progress: ["ran `cat src/format-date.js`: exit 0", "ran `npm test`: exit 1", "ran `npm test`: exit 0"],
      goal: began("I will run the tests and read the file."),
      context: FIXED,
      artifacts: [...FILES, { path: "src/new.js" }],
    }),
  ],
  [
    "codex",
    "codex-resume",
    draft({
      progress: ["ran `git status --short`: exit 0"],
      goal: began("Two files changed."),
      context: "Two files changed.",
    }),
  ],
  ["codex", "codex-subagent", draft({ goal: began("Done."), context: "Done." })],
  ["codex", "codex-err-mid-task", draft({ progress: ["ran `ls`: exit 0"] })],
  ["codex", "codex-stop-then-resume-a", draft({ goal: began("Slow."), context: "Slow." })],
  [
    "codehands",
    "codehands-success",
    draft({
      goal: TASK,
      context: "The month is right now, and all tests pass.",
      artifacts: FILES,
      agent: "sample",
      from_session: "072c298a-3a98-4e6d-943b-8967e2dd3c7f",
    }),
  ],
];

/** The same bytes in pieces that fit neither lines nor characters. */
async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

describe("HO-17 recorded sessions of real programs", () => {
  test.each(GOLDEN)("%s: %s", async (harness, name, golden) => {
    const adapter = ADAPTERS[harness];
    if (adapter === undefined) throw new Error(harness);
    const raw = recording(name);
    // The streams of Codex do not say where they were made.
    const opts = { cwd: "/repo" };
    const expected =
      harness === "codehands" ? { ...golden, state: expect.any(Object), progress: expect.any(Array) } : golden;
    const whole = adapter(raw, opts);
    expect(whole).toEqual(expected);

    const crlf = raw.replaceAll("\n", "\r\n");
    for (const text of [`\ufeff${raw}`, crlf, `\ufeff${crlf}`, raw.trimEnd(), `\n\n${raw}\n\n`]) {
      expect(adapter(text, opts)).toEqual(whole);
      expect(await adapter.lines(linesOf(pieces(text, 4093)), opts)).toEqual(whole);
    }
    expect(await adapter.lines(raw.split("\n"), opts)).toEqual(whole);
    expect(
      await adapter.lines(
        raw.split("\n").map((line) => Buffer.from(line)),
        opts,
      ),
    ).toEqual(whole);
  });

  test.each(GOLDEN)("%s: %s, cut off at any place", async (harness, name) => {
    const adapter = ADAPTERS[harness];
    if (adapter === undefined) throw new Error(harness);
    const raw = recording(name);
    for (let at = 1; at < raw.length; at += Math.ceil(raw.length / 40)) {
      const text = raw.slice(0, at);
      const found = adapter(text);
      expect(await adapter.lines(linesOf([text]))).toEqual(found);
      // A line that was cut takes nothing of those before it along.
      expect(found).toEqual(adapter(text.slice(0, text.lastIndexOf("\n") + 1)));
    }
  });

  test.each(GOLDEN.filter(([, , golden]) => golden.goal !== ""))("%s: %s goes into a packet", (harness, name) => {
    const packet = pack({
      ...(ADAPTERS[harness]?.(recording(name)) as Draft),
      agent: "a",
      created: "2026-07-11T12:00:00Z",
    });
    expect(packet.context).not.toBe("");
  });
});
