import type { EventView } from "@codehands/api";
import { END_REASONS } from "@codehands/contracts";
import { cutTo, wrapTo } from "../terminal/fit.ts";
import { iconsFor } from "../terminal/icons.ts";
import { type Ink, paintFor } from "../terminal/paint.ts";
import { stripControls, stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { changeSize, counted, usd } from "./amounts.ts";
import { numberOf, type Payload, textOf } from "./read-payload.ts";
import { REASON_WORDS } from "./status.ts";
import { moment } from "./times.ts";

const MESSAGE_LINES = 6;

/** One line of progress: two blanks, the clock, the words. Cut on a terminal, whole in a pipe. */
export function progressLine(time: string, words: string, facts: TerminalFacts): string {
  const line = `  ${time}  ${words}`;
  return facts.width === null ? line : cutTo(line, facts.width, facts);
}

/** The lines of an event that stands for itself (no reads, edits or commands). */
export function eventLines(event: EventView, time: string, look: { facts: TerminalFacts }): string[] {
  const { payload, type } = event;
  const { facts } = look;
  const icons = iconsFor(facts);
  const inked = (ink: Ink, words: string): string[] => [paintFor(facts)(ink, progressLine(time, words, facts))];
  switch (type) {
    case "task.started":
      return payload.resumed === true ? [progressLine(time, "Resumed", facts)] : [];
    case "message":
      return messageLines(payload, time, facts);
    case "provider.status":
      return inked("yellow", `${icons.warn} ${providerWords(payload)}`);
    case "task.finished":
      return [progressLine(time, finishedWords(payload, icons.dot), facts)];
    case "task.failed":
      return [
        ...inked("red", `${icons.fail} Failed: ${endWords(payload)}`),
        ...tailOf(textOf(payload, "stderr") ?? "", time, facts),
      ];
    case "task.stopped":
      return inked("yellow", `${icons.stopped} Stopped: ${endWords(payload)}`);
    default:
      return [progressLine(time, `An event of a newer version: ${stripToLine(type)}`, facts)];
  }
}

/** A message is broken between words on a terminal, and after a few lines it is cut; in a pipe it is whole. */
function messageLines(payload: Payload, time: string, facts: TerminalFacts): string[] {
  const icons = iconsFor(facts);
  const indent = " ".repeat(time.length + 4);
  const text = `${messageLead(payload, icons)}${stripControls(textOf(payload, "text") ?? "").trim()}`;
  const lines =
    facts.width === null ? text.split("\n") : screenLines(text, facts.width - indent.length, icons.ellipsis);
  const all = lines.map((line, at) => `${at === 0 ? `  ${time}  ` : indent}${line}`.trimEnd());
  const notice = payload.severity === "warn" || payload.denied === true;
  return notice ? all.map((line) => paintFor(facts)("yellow", line)) : all;
}

function screenLines(text: string, columns: number, ellipsis: string): string[] {
  // No more than fits is broken: a message may be very long.
  const most = text.slice(0, columns * MESSAGE_LINES * 2);
  const lines = most.split("\n").flatMap((line) => wrapTo(line.replaceAll("\t", "  ").trimEnd(), columns));
  if (lines.length <= MESSAGE_LINES && most.length === text.length) return lines;
  return [...lines.slice(0, MESSAGE_LINES), ellipsis];
}

function messageLead(payload: Payload, icons: { warn: string; fail: string }): string {
  const subagent = textOf(payload, "subagent");
  const from = subagent === null ? "" : `[${stripToLine(subagent)}] `;
  if (payload.denied === true)
    return `${icons.fail} Denied ${stripToLine(textOf(payload, "tool") ?? "a tool")}: ${from}`;
  if (payload.severity === "warn") return `${icons.warn} Note: ${from}`;
  if (payload.role === "plan") return `Plan: ${from}`;
  return from;
}

function finishedWords(payload: Payload, dot: string): string {
  const turns = numberOf(payload, "num_turns");
  const parts = [
    "Finished",
    usd(numberOf(payload, "total_cost_usd")),
    ...(turns === null ? [] : [counted(turns, "turn")]),
    statWords(textOf(payload, "diffStat") ?? ""),
  ];
  return parts.join(` ${dot} `);
}

/** The sum of a `git diff --stat`: `3 files +84 -12`; "no changes" when there is none. */
export function statWords(stat: string): string {
  const sum = /(\d+) files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/.exec(stat);
  if (sum === null) return "no changes";
  return changeSize({ files: Number(sum[1]), additions: Number(sum[2] ?? 0), deletions: Number(sum[3] ?? 0) });
}

/** Why a run ended, with the detail its agent or we gave. */
export function endWords(payload: Payload): string {
  const reason = END_REASONS.find((one) => one === payload.reason);
  const words = reason === undefined ? stripToLine(textOf(payload, "reason") ?? "unknown") : REASON_WORDS[reason];
  const detail = stripToLine(textOf(payload, "detail") ?? "");
  const retryAt = textOf(payload, "retryAt");
  const retry = retryAt === null ? "" : `; it may answer again at ${moment(stripToLine(retryAt))}`;
  return `${words}${detail === "" ? "" : ` (${detail})`}${retry}`;
}

function providerWords(payload: Payload): string {
  const state = textOf(payload, "state") ?? "";
  const attempt = numberOf(payload, "attempt");
  const tried = attempt === null ? "" : `, attempt ${attempt}`;
  return `Provider${tried}: ${endWords({ reason: state, detail: payload.detail, retryAt: payload.retryAt })}`;
}

function tailOf(stderr: string, time: string, facts: TerminalFacts): string[] {
  const lines = stripControls(stderr).trim().split("\n").filter(Boolean).slice(-3);
  const indent = " ".repeat(time.length + 4);
  return lines.map((line) =>
    facts.width === null ? `${indent}${line}` : cutTo(`${indent}${line}`, facts.width, facts),
  );
}
