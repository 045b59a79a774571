import type { EventView, SentCommand } from "@codehands/api";
import { padTo } from "../terminal/fit.ts";
import { iconsFor } from "../terminal/icons.ts";
import { paintFor } from "../terminal/paint.ts";
import { stripControls, stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";
import { changeSize, counted, tokens, usd } from "./amounts.ts";
import { tildePath } from "./paths.ts";
import { flushProgress, NO_PROGRESS, type ProgressLook, stepProgress } from "./progress.ts";
import { numberOf, type Payload } from "./read-payload.ts";
import { renderSent } from "./sent-lines.ts";
import { baseWords, renderHead, renderNext } from "./session-head.ts";
import { REASON_WORDS, statusWord } from "./status.ts";
import { age, ago, elapsed, moment } from "./times.ts";

const PROMPT_LINES = 12;

/** The page of `show`: everything that helps to decide what to do with a session. */
export function renderSessionPage(
  session: SessionView,
  o: {
    facts: TerminalFacts;
    nowMs: number;
    name: string;
    events: readonly EventView[];
    /** What was sent from here to the session of another device. */
    commands?: readonly SentCommand[];
  },
): string {
  const { facts } = o;
  const paint = paintFor(facts);
  const lines = [renderHead(session, facts), ""];
  const rows = pageRows(session, o.nowMs, facts);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) lines.push(`  ${paint("dim", padTo(name, width))}  ${value}`);
  lines.push("", ...promptLines(session.prompt, facts));
  const { commands = [] } = o;
  if (commands.length > 0) lines.push("", paint("bold", "Sent from here"));
  lines.push(...commands.map((command) => `  ${renderSent(command, o.nowMs)}`));
  const last = lastLines(session, o.events, facts);
  if (last.length > 0) lines.push("", paint("bold", "Lately"), ...last);
  lines.push("", renderNext(session, o.name, facts));
  return `${lines.join("\n")}\n`;
}

function pageRows(session: SessionView, nowMs: number, facts: TerminalFacts): [string, string][] {
  const rows: [string, string | null][] = [
    ["status", statusWithReason(session)],
    ["id", session.id],
    [
      "repo",
      session.repo.path === null
        ? stripToLine(session.repo.remote ?? session.repo.key)
        : tildePath(session.repo.path, facts.homeFolder),
    ],
    ["device", stripToLine(session.device.name)],
    ["heard", session.remote === undefined ? null : heardWords(session, nowMs)],
    ["warning", session.remote?.warning ? paintFor(facts)("red", stripToLine(session.remote.warning)) : null],
    ["branch", session.branch && stripToLine(session.branch)],
    ["base", session.baseCommit && baseWords(session)],
    ["worktree", session.worktree && tildePath(session.worktree, facts.homeFolder)],
    ["commit", session.commit],
    ["tree", session.treeId],
    ["change", session.diff && changeSize(session.diff)],
    ["tests", session.tests && testsWords(session.tests, facts)],
    ["cost", costWords(session)],
    ["usage", usageWords(session.usage)],
    ["turns", session.numTurns === null ? null : String(session.numTurns)],
    ["continues", session.continuesId],
    ["continued by", session.supersededBy],
    ["task", session.taskId],
    ["created", `${moment(session.createdAt)} (${age(nowMs, session.createdAt)})`],
    ["started", session.startedAt && moment(session.startedAt)],
    ["finished", finishedWords(session)],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

function statusWithReason(session: SessionView): string {
  return session.reason === null
    ? statusWord(session.status)
    : `${statusWord(session.status)}: ${REASON_WORDS[session.reason]}`;
}

/** How old another device's word about its session is, and how much of its events has come, once they are fetched. */
function heardWords({ remote, lastSeq }: SessionView, nowMs: number): string {
  const when = remote?.receivedAt ? ago(nowMs, remote.receivedAt) : "never";
  const held = remote?.heldSeq ?? 0;
  return held > 0 && held < lastSeq ? `${when}, ${held} of ${lastSeq} events are here` : when;
}

function finishedWords(session: SessionView): string | null {
  if (session.finishedAt === null) return null;
  const took = session.startedAt === null ? "" : ` after ${elapsed(session.startedAt, session.finishedAt)}`;
  return `${moment(session.finishedAt)}${took}`;
}

function testsWords(tests: NonNullable<SessionView["tests"]>, facts: TerminalFacts): string {
  const icons = iconsFor(facts);
  const outcome = tests.passed ? `${icons.ok} passed` : `${icons.fail} failed`;
  return `${paintFor(facts)(tests.passed ? "green" : "red", outcome)}  ${stripToLine(tests.command)}`;
}

function costWords(session: SessionView): string {
  const { usd: spent, budgetUsd } = session.cost;
  const cost = spent === null ? "not known yet" : usd(spent);
  return budgetUsd === null ? cost : `${cost} of ${usd(budgetUsd)}`;
}

function usageWords(usage: unknown): string | null {
  if (typeof usage !== "object" || usage === null) return null;
  const payload = usage as Payload;
  const parts = [
    ["in", numberOf(payload, "inputTokens")],
    ["cached", numberOf(payload, "cachedInputTokens")],
    ["out", numberOf(payload, "outputTokens")],
  ] as const;
  const known = parts.filter(([, count]) => count !== null).map(([name, count]) => `${tokens(count ?? 0)} ${name}`);
  return known.length === 0 ? null : `${known.join(", ")} tokens`;
}

function promptLines(prompt: string, facts: TerminalFacts): string[] {
  const lines = stripControls(prompt).trim().split("\n");
  const shown = facts.width === null ? lines : lines.slice(0, PROMPT_LINES);
  const more = lines.length - shown.length;
  const quoted = shown.map((line) => `  ${line}`);
  return [paintFor(facts)("bold", "Prompt"), ...quoted, ...(more > 0 ? [`  (${counted(more, "more line")})`] : [])];
}

function lastLines(session: SessionView, events: readonly EventView[], facts: TerminalFacts): string[] {
  const look: ProgressLook = { facts, worktree: session.worktree, startedAt: session.startedAt ?? session.createdAt };
  const lines: string[] = [];
  let state = NO_PROGRESS;
  for (const event of events) {
    const step = stepProgress(state, event, look);
    state = step.state;
    lines.push(...step.lines);
  }
  lines.push(...flushProgress(state, look, true).lines);
  return lines;
}
