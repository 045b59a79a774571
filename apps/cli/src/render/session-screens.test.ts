import { SESSION_STATUSES } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { sessionOf } from "../memory-device.test-kit.ts";
import { ALL_COMMANDS } from "../program/all-commands.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";
import { renderDashboard } from "./dashboard.ts";
import { nextCommands, renderHead, renderNext, renderPlace } from "./session-head.ts";
import { renderSessionPage } from "./session-page.ts";
import { renderSessionTable, sortForPerson } from "./session-table.ts";

const TTY: TerminalFacts = { tty: true, colour: false, utf8: true, width: 80, homeFolder: "/home/me" };
const PIPE: TerminalFacts = { ...TTY, tty: false, width: null };
const NOW = Date.parse("2026-01-02T03:10:00.000Z");
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
const EVIL = "x\u001b]52;c;eA==\u0007\u009b2J\u202e\r\ny\u001b]8;;http://e\u001b\\z";

const numbered = (n: number, over: Partial<SessionView>): SessionView =>
  sessionOf({ id: `${n}`.repeat(8) + "-0000-4000-8000-000000000000", shortId: `${n}`.repeat(8), ...over });

/** A session whose every text is hostile. */
const hostile = (): SessionView =>
  sessionOf({
    title: EVIL,
    prompt: EVIL,
    model: EVIL,
    branch: EVIL,
    baseRef: EVIL,
    worktree: EVIL,
    repo: { key: "k", path: EVIL, remote: EVIL },
    device: { id: "d", name: EVIL },
    tests: { command: EVIL, passed: false, seq: 1 },
  });

test("what waits comes first, then what runs; a continued one does not wait any more", () => {
  const order = sortForPerson([
    numbered(1, { status: "approved" }),
    numbered(2, { status: "stopped" }),
    numbered(3, { status: "queued" }),
    numbered(4, { status: "awaiting_approval", supersededBy: "x" }),
    numbered(5, { status: "running" }),
    numbered(6, { status: "awaiting_approval" }),
    numbered(7, { status: "failed", createdAt: "2026-01-02T03:00:01.000Z" }),
  ]);
  expect(order.map((one) => one.shortId[0]).join("")).toBe("6532714");
});

describe("the table", () => {
  const sessions = [
    sessionOf({ title: "a very long title ".repeat(10) }),
    sessionOf({ title: "日本語 title", cost: { usd: null, budgetUsd: 1 } }),
  ];

  test("fits the terminal and keeps its columns", () => {
    const lines = renderSessionTable(sessions, { facts: TTY, nowMs: NOW, withRepo: true }).trimEnd().split("\n");
    expect(lines).toEqual([
      "STATUS     ID        TITLE             REPO  AGENT        COST   CHANGE   AGE",
      "◆ waiting  3f0f3e1e  a very long tit…  shop  claude-code  $0.31  1 +1 -1  10 min",
      "◆ waiting  3f0f3e1e  日本語 title      shop  claude-code  -      1 +1 -1  10 min",
    ]);
  });

  test("is not cut in a pipe", () => {
    expect(renderSessionTable(sessions, { facts: PIPE, nowMs: NOW, withRepo: false })).toContain(
      "long title a very long title",
    );
  });

  test("has ASCII icons beside the same words where UTF-8 is not known", () => {
    const text = renderSessionTable([sessionOf()], { facts: { ...TTY, utf8: false }, nowMs: NOW, withRepo: false });
    expect(text).toMatch(/^[ -~\n]*$/);
    expect(text).toContain("* waiting");
  });

  test("colours the icon and the id, and costs no width", () => {
    const coloured = renderSessionTable(sessions, { facts: { ...TTY, colour: true }, nowMs: NOW, withRepo: true });
    const plain = coloured.replace(/\u001b\[\d+m/g, "");
    expect(coloured).toContain("\u001b[35m◆\u001b[39m waiting");
    expect(plain).toBe(renderSessionTable(sessions, { facts: TTY, nowMs: NOW, withRepo: true }));
  });
});

describe("what is shown of one session", () => {
  test("its head and place", () => {
    expect(renderHead(sessionOf(), TTY)).toBe("◆ 3f0f3e1e  add-pkce-to-login   claude-code · sonnet   budget $2.00");
    expect(renderPlace(sessionOf(), TTY)).toBe(
      "  worktree ~/.codehands/worktrees/0123456789ab/3f0f3e1e   branch codehands/add-pkce-to-login-3f0f3e1e (from main@a41c9e2)",
    );
  });

  test("its page", () => {
    const event = {
      sessionId: "s",
      seq: 1,
      type: "file.changed",
      at: "2026-01-02T03:00:21.000Z",
      payload: { path: "a.ts" },
    };
    const session = sessionOf({
      tests: { command: "pnpm test", passed: true, seq: 3 },
      finishedAt: "2026-01-02T03:01:02.000Z",
    });
    const page = renderSessionPage(session, { facts: TTY, nowMs: NOW, name: "3f0f", events: [event] });
    for (const part of [
      "status    waiting",
      "repo      /home/me/shop".replace("/home/me", "~"),
      "base      main@a41c9e2",
      "change    1 file +1 -1",
      "tests     ✔ passed  pnpm test",
      "cost      $0.31 of $2.00",
      "usage     1200 in, 0 cached, 345 out tokens",
      "finished  2026-01-02 03:01:02 UTC after 01:02",
      "Prompt\n  add PKCE to login\n",
      "Lately\n  00:21  Edited a.ts\n",
      "◆ Waiting for you.   codehands diff 3f0f   codehands approve 3f0f   codehands reject 3f0f\n",
    ]) {
      expect(page).toContain(part);
    }
  });

  test.each(SESSION_STATUSES)("the commands after %s exist and name the session", (status) => {
    const commands = nextCommands(sessionOf({ status, reason: status === "stopped" ? "budget" : null }), "3f0f");
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [program, word, name] = command.split(" ");
      expect([program, name]).toEqual(["codehands", "3f0f"]);
      expect(ALL_COMMANDS.map((spec) => spec.path)).toContain(word);
    }
  });

  test("a session that changed nothing is not offered for approval", () => {
    const session = sessionOf({ diff: { files: 0, additions: 0, deletions: 0 } });
    expect(renderNext(session, "3f0f", TTY)).toBe(
      "◆ Waiting for you, but nothing was changed.   codehands logs 3f0f   codehands reject 3f0f",
    );
  });

  test("after a used-up budget the way on is a larger one", () => {
    expect(renderNext(sessionOf({ status: "stopped", reason: "budget" }), "3f0f", TTY)).toContain(
      "■ Stopped (the budget is used up).   codehands resume 3f0f --budget 4",
    );
  });

  test("nothing in it can act on the terminal", () => {
    for (const facts of [TTY, PIPE]) {
      const o = { facts, nowMs: NOW };
      const texts = [
        renderSessionTable([hostile()], { ...o, withRepo: true }),
        renderSessionPage(hostile(), { ...o, name: "3f0f", events: [] }),
        renderDashboard([hostile()], { ...o, nameOf: () => "3f0f" }),
        ...SESSION_STATUSES.map((status) => renderNext({ ...hostile(), status }, "3f0f", facts)),
        renderHead(hostile(), facts),
        renderPlace(hostile(), facts),
      ];
      for (const text of texts) expect(text).not.toMatch(ACTING);
    }
  });

  test("10 MB of title and prompt stay within the terminal", () => {
    const session = sessionOf({ title: "long \u001b[1m".repeat(1_000_000), prompt: "p\n".repeat(5_000_000) });
    const table = renderSessionTable([session], { facts: TTY, nowMs: NOW, withRepo: false });
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const page = renderSessionPage(session, { facts: TTY, nowMs: NOW, name: "3f0f", events: [] });
    expect(page.split("\n").length).toBeLessThan(60);
  });
});

describe("the dashboard", () => {
  test("waiting, at work, recent, and the commands for the first that waits", () => {
    const sessions = [
      numbered(1, { status: "approved", title: "done" }),
      numbered(2, { status: "running", title: "busy" }),
      numbered(3, { status: "awaiting_approval", title: "look" }),
    ];
    const text = renderDashboard(sessions, { facts: TTY, nowMs: NOW, nameOf: (one) => one.id.slice(0, 4) });
    const at = ["1 session waits for you", "look", "At work", "busy", "Recent", "done", "codehands diff 3333"].map(
      (word) => text.indexOf(word),
    );
    expect(at.every((place) => place >= 0)).toBe(true);
    expect([...at].sort((a, b) => a - b)).toEqual(at);
  });

  test("says how to begin when there is nothing", () => {
    expect(renderDashboard([], { facts: TTY, nowMs: NOW, nameOf: () => "" })).toContain(
      'codehands run "what should be done"',
    );
  });
});
