import type { SessionStatus } from "@codehands/contracts";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";
import { usd } from "./amounts.ts";
import { statusIcon, statusWord } from "./status.ts";
import { renderTable } from "./table.ts";
import { age } from "./times.ts";

const ORDER: Readonly<Record<SessionStatus, number>> = {
  awaiting_approval: 0,
  running: 1,
  queued: 2,
  stopped: 3,
  approved: 4,
  rejected: 4,
  failed: 4,
};

/** Waiting first, then running, queued and stopped, then the rest; the newest first among equals. */
export function sortForPerson(sessions: readonly SessionView[]): SessionView[] {
  return [...sessions].sort(
    (a, b) => place(a) - place(b) || b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id),
  );
}

function place(session: SessionView): number {
  const waits = session.status === "awaiting_approval" && session.supersededBy === null;
  return session.status === "awaiting_approval" && !waits ? ORDER.approved : ORDER[session.status];
}

/** The last part of a repository's path or remote, as a name. */
export function repoName(session: SessionView): string {
  const source = session.repo.path ?? session.repo.remote ?? session.repo.key;
  return stripToLine(
    source
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/")
      .at(-1) ?? source,
  );
}

/** The table of `ls`: a line of titles, then one line per session. Where another device's is among them, each says whose. */
export function renderSessionTable(
  sessions: readonly SessionView[],
  o: { facts: TerminalFacts; nowMs: number; withRepo: boolean },
): string {
  const paint = paintFor(o.facts);
  const withDevice = sessions.some((session) => session.remote !== undefined);
  const columns = [
    { title: "STATUS" },
    { title: "ID" },
    { title: "TITLE", grows: true },
    ...(o.withRepo ? [{ title: "REPO" }] : []),
    ...(withDevice ? [{ title: "DEVICE" }] : []),
    { title: "AGENT" },
    { title: "COST" },
    { title: "CHANGE" },
    { title: "AGE" },
  ];
  const rows = sessions.map((session) => ({
    cells: [
      `${statusIcon(session.status, { ...o.facts, colour: false })} ${statusWord(session.status)}`,
      session.shortId,
      stripToLine(session.title),
      ...(o.withRepo ? [repoName(session)] : []),
      ...(withDevice ? [stripToLine(session.device.name)] : []),
      session.agent,
      usd(session.cost.usd),
      session.diff === null ? "-" : `${session.diff.files} +${session.diff.additions} -${session.diff.deletions}`,
      age(o.nowMs, session.createdAt),
    ],
    paint: (cell: string, at: number) => {
      if (at === 1) return paint("bold", cell);
      return at === 0 ? cell.replace(/^\S+/, () => statusIcon(session.status, o.facts)) : cell;
    },
  }));
  return `${renderTable(columns, rows, o.facts).join("\n")}\n`;
}
