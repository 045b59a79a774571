import { paintFor } from "../terminal/paint.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";
import { renderSessionTable, sortForPerson } from "./session-table.ts";

const RECENT = 8;

/** What `codehands` alone shows on a terminal: what waits, what runs, what was done lately. */
export function renderDashboard(
  sessions: readonly SessionView[],
  o: { facts: TerminalFacts; nowMs: number; nameOf: (session: SessionView) => string },
): string {
  if (sessions.length === 0) {
    return 'No sessions yet. Begin in a repository:\n  codehands run "what should be done"\n';
  }
  const paint = paintFor(o.facts);
  const sorted = sortForPerson(sessions);
  const waiting = sorted.filter((one) => one.status === "awaiting_approval" && one.supersededBy === null);
  const active = sorted.filter((one) => one.status === "running" || one.status === "queued");
  const others = sorted.filter((one) => !waiting.includes(one) && !active.includes(one)).slice(0, RECENT);
  const parts: string[] = [];
  const section = (title: string, part: SessionView[]): void => {
    if (part.length === 0) return;
    parts.push(`${paint("bold", title)}\n${renderSessionTable(part, { ...o, withRepo: true })}`);
  };
  section(waiting.length === 1 ? "1 session waits for you" : `${waiting.length} sessions wait for you`, waiting);
  section("At work", active);
  section("Recent", others);
  const first = waiting[0];
  if (first !== undefined) parts.push(nextCommands(o.nameOf(first)));
  return parts.join("\n");
}

function nextCommands(name: string): string {
  return `codehands diff ${name}   codehands approve ${name}   codehands reject ${name}\n`;
}
