import type { EventView } from "@codehands/api";
import { expect, test } from "vitest";
import { displayWidth } from "../terminal/fit.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { flushProgress, NO_PROGRESS, type ProgressLook, stepProgress } from "./progress.ts";

const TTY: TerminalFacts = { tty: true, colour: false, utf8: true, width: 80, homeFolder: "/home/me" };
const PIPE: TerminalFacts = { ...TTY, tty: false, width: null };
const look = (facts: TerminalFacts): ProgressLook => ({ facts, worktree: "/w", startedAt: "2026-01-02T03:00:00.000Z" });

/** Draws events given as `[second, type, payload]`. */
function draw(events: [number, string, Record<string, unknown>][], facts = TTY, idle = false): string[] {
  let state = NO_PROGRESS;
  const lines: string[] = [];
  events.forEach(([second, type, payload], at) => {
    const time = new Date(Date.parse("2026-01-02T03:00:00.000Z") + second * 1000).toISOString();
    const event: EventView = { sessionId: "s", seq: at + 1, type, at: time, payload };
    const step = stepProgress(state, event, look(facts));
    state = step.state;
    lines.push(...step.lines);
  });
  return [...lines, ...flushProgress(state, look(facts), idle).lines];
}

test("a whole run as a person sees it", () => {
  const lines = draw([
    [0, "task.started", { agent: "claude-code" }],
    [4, "file.read", { path: "/w/src/auth/login.ts", tool: "Read" }],
    [4, "file.read", { path: "/w/src/auth/session.ts", tool: "Read" }],
    [5, "file.read", { path: "/w/a", tool: "Read" }],
    [5, "file.read", { path: null, pattern: "TODO", tool: "Grep" }],
    [6, "file.read", { path: "/w/b", tool: "Read" }],
    [21, "file.changed", { path: "/w/src/auth/login.ts", change: "update", tool: "Edit" }],
    [48, "command.started", { command: "pnpm test auth", callId: "c1", tool: "Bash" }],
    [54, "command.finished", { command: "pnpm test auth", callId: "c1", exitCode: 0, durationMs: 6100 }],
    [54, "test.result", { command: "pnpm test auth", callId: "c1", passed: true, counts: { passed: 42, failed: 0 } }],
    [
      62,
      "task.finished",
      { total_cost_usd: 0.31, num_turns: 18, diffStat: " 3 files changed, 84 insertions(+), 12 deletions(-)" },
    ],
  ]);
  expect(lines).toEqual([
    "  00:04  Read src/auth/login.ts, src/auth/session.ts (+3)",
    "  00:21  Edited src/auth/login.ts",
    "  00:48  $ pnpm test auth                                   ✔ 42 passed  6.1s",
    "  01:02  Finished · $0.31 · 18 turns · 3 files +84 -12",
  ]);
});

test("in a pipe every path is named", () => {
  const reads = ["a", "b", "c", "d"].map((path): [number, string, Record<string, unknown>] => [
    1,
    "file.read",
    { path },
  ]);
  expect(draw(reads, PIPE)).toEqual(["  00:01  Read a, b, c, d"]);
});

test.each([
  [{ exitCode: 0, isError: false, denied: false }, "✔ done"],
  [{ exitCode: 2, isError: true, denied: false }, "✖ exit 2"],
  [{ exitCode: null, isError: true, denied: false }, "✖ failed"],
  [{ exitCode: null, isError: true, denied: true }, "✖ denied"],
])("how a command ended: %o", (ended, words) => {
  const [line] = draw([[3, "command.finished", { command: "make", callId: "c", ...ended }]], PIPE);
  expect(line).toBe(`  00:03  $ make  ${words}`);
});

test("failed tests are counted", () => {
  const lines = draw(
    [
      [1, "command.finished", { command: "t", callId: "c", exitCode: 1 }],
      [1, "test.result", { command: "t", callId: "c", passed: false, counts: { passed: 40, failed: 2 } }],
    ],
    PIPE,
  );
  expect(lines).toEqual(["  00:01  $ t  ✖ 2 failed, 40 passed"]);
});

test("a command that takes long is told once while it runs and again when it ended", () => {
  const started: [number, string, Record<string, unknown>] = [2, "command.started", { command: "sleep", callId: "c" }];
  expect(draw([started], PIPE, true)).toEqual(["  00:02  $ sleep  ● running"]);
  const idle = flushProgress(
    { pending: null, open: { c: { command: "sleep", at: "", told: true } } },
    look(PIPE),
    true,
  );
  expect(idle.lines).toEqual([]);
});

test("messages, notices, denials and limits", () => {
  const lines = draw(
    [
      [1, "message", { text: "First.\nSecond." }],
      [2, "message", { text: "seen twice", role: "notice", severity: "warn" }],
      [3, "message", { text: "rm -rf", denied: true, tool: "Bash" }],
      [4, "provider.status", { state: "rate_limited", detail: "429", transient: true, attempt: 2 }],
      [5, "task.failed", { reason: "agent_error", detail: "boom", stderr: "one\ntwo" }],
      [6, "task.stopped", { reason: "budget", retryAt: "2026-01-02T04:00:00.000Z" }],
      [7, "later.version", {}],
    ],
    PIPE,
  );
  expect(lines).toEqual([
    "  00:01  First.",
    "         Second.",
    "  00:02  ! Note: seen twice",
    "  00:03  ✖ Denied Bash: rm -rf",
    "  00:04  ! Provider, attempt 2: the provider limits the rate (429)",
    "  00:05  ✖ Failed: the agent reported an error (boom)",
    "         one",
    "         two",
    "  00:06  ■ Stopped: the budget is used up; it may answer again at 2026-01-02 04:00:00 UTC",
    "  00:07  An event of a newer version: later.version",
  ]);
});

test("no event can act on the terminal, wherever its text stands", () => {
  const evil = "\u001b]52;c;ZXZpbA==\u0007\u009b2J\u202ex\r";
  const payload = { path: evil, pattern: evil, command: evil, callId: "c", text: evil, tool: evil, detail: evil };
  const more = { reason: evil, retryAt: evil, stderr: evil, subagent: evil, diffStat: evil, result: evil, state: evil };
  const types = [
    ...["file.read", "file.changed", "command.started", "command.finished", "test.result", "message"],
    ...["provider.status", "task.started", "task.finished", "task.failed", "task.stopped", evil],
  ];
  const all = types.flatMap((type): [number, string, Record<string, unknown>][] => [
    [1, type, { ...payload, ...more }],
    [1, type, { ...payload, ...more, denied: true, severity: "warn" }],
  ]);
  for (const facts of [TTY, PIPE]) {
    const text = draw(all, facts, true).join("");
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});

test("a message is broken between words on a terminal, and cut after a few lines", () => {
  const words = "The tests fail because getUTCMonth counts months from zero, so every date is one month behind.";
  expect(draw([[1, "message", { text: words }]])).toEqual([
    "  00:01  The tests fail because getUTCMonth counts months from zero, so every",
    "         date is one month behind.",
  ]);
  const lines = draw([[1, "message", { text: `${words}\n`.repeat(9) }]]);
  expect(lines).toHaveLength(7);
  expect(lines.at(-1)).toBe("         …");
});

test("10 MB of a message, or of one word, is drawn within the terminal", () => {
  for (const text of ["long \u001b[31m ".repeat(1_000_000), "x".repeat(10_000_000), "日".repeat(3_000_000)]) {
    const lines = draw([[1, "message", { text }]]);
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  }
});
