import { iconsFor } from "../terminal/icons.ts";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";
import { usd } from "./amounts.ts";
import { tildePath } from "./paths.ts";
import { REASON_WORDS, statusIcon, statusWord } from "./status.ts";

/** The first line of a session: id, title, agent, budget. */
export function renderHead(session: SessionView, facts: TerminalFacts, note = ""): string {
  const { dot } = iconsFor(facts);
  const agent = [session.agent, ...(session.model === null ? [] : [stripToLine(session.model)])].join(` ${dot} `);
  const budget = session.cost.budgetUsd === null ? "" : `   budget ${usd(session.cost.budgetUsd)}${note}`;
  const id = paintFor(facts)("bold", session.shortId);
  return `${statusIcon(session.status, facts)} ${id}  ${stripToLine(session.title)}   ${agent}${budget}`;
}

/** The second line: where the work lies. Empty while that is not known. */
export function renderPlace(session: SessionView, facts: TerminalFacts): string {
  if (session.worktree === null || session.branch === null) return "";
  const base = session.baseCommit === null ? "" : ` (from ${baseWords(session)})`;
  const worktree = tildePath(session.worktree, facts.homeFolder);
  return `  worktree ${worktree}   branch ${stripToLine(session.branch)}${base}`;
}

/** What a session started from: `main@a41c9e2`. */
export function baseWords(session: SessionView): string {
  const commit = (session.baseCommit ?? "").slice(0, 7);
  return session.baseRef === null ? commit : `${stripToLine(session.baseRef)}@${commit}`;
}

/** The last line: how it stands, and the commands that go on from there. `name` names the session in them. */
export function renderNext(session: SessionView, name: string, facts: TerminalFacts): string {
  const words = [`${statusIcon(session.status, facts)} ${standing(session)}`, ...nextCommands(session, name)];
  return words.join("   ");
}

function standing(session: SessionView): string {
  if (session.status === "awaiting_approval" && session.supersededBy !== null) {
    return `Session ${session.supersededBy.slice(0, 8)} goes on from this one.`;
  }
  switch (session.status) {
    case "awaiting_approval":
      return isEmpty(session) ? "Waiting for you, but nothing was changed." : "Waiting for you.";
    case "approved":
      return `Approved: ${stripToLine(session.branch ?? "")} ${(session.commit ?? "").slice(0, 7)}`.trimEnd();
    case "queued":
      return "Queued: it starts when its turn comes.";
    case "running":
      return "Running.";
    default: {
      const why = session.reason === null ? "" : ` (${REASON_WORDS[session.reason]})`;
      const word = statusWord(session.status);
      return `${word.charAt(0).toUpperCase()}${word.slice(1)}${why}.`;
    }
  }
}

/** The commands that make sense next, whole lines. */
export function nextCommands(session: SessionView, name: string): string[] {
  if (session.supersededBy !== null) return [`codehands show ${session.supersededBy.slice(0, 8)}`];
  switch (session.status) {
    case "awaiting_approval":
      return isEmpty(session)
        ? [`codehands logs ${name}`, `codehands reject ${name}`]
        : [`codehands diff ${name}`, `codehands approve ${name}`, `codehands reject ${name}`];
    case "queued":
    case "running":
      return [`codehands logs ${name} -f`, `codehands stop ${name}`];
    case "stopped": {
      const raise = session.reason === "budget" ? ` --budget ${raisedBudget(session.cost.budgetUsd)}` : "";
      return [`codehands resume ${name}${raise}`, `codehands diff ${name}`, `codehands discard ${name}`];
    }
    case "failed":
      return [`codehands logs ${name}`, `codehands diff ${name}`];
    default:
      return [`codehands show ${name}`];
  }
}

/** Nothing was changed, so there is nothing to approve. */
function isEmpty(session: SessionView): boolean {
  return session.diff !== null && session.diff.files === 0;
}

function raisedBudget(budget: number | null): string {
  return String(Math.max(1, Math.ceil((budget ?? 0.5) * 2)));
}
