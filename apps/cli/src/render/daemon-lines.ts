import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { tildePath } from "./paths.ts";
import { statusIcon } from "./status.ts";
import { moment } from "./times.ts";

/** `daemon status --json`: one shape, whether the daemon runs or not. */
export interface DaemonStatus {
  running: boolean;
  pid: number | null;
  url: string | null;
  version: string | null;
  protocol: number | null;
  startedAt: string | null;
  sessions: { running: number; queued: number; waiting: number } | null;
  home: string;
  logs: string;
  /** Why it does not answer, when there is a trace of one. */
  problem: string | null;
}

/** The daemon in words. */
export function renderDaemonStatus(status: DaemonStatus, o: { facts: TerminalFacts }): string {
  const { facts } = o;
  const where = `  home ${tildePath(status.home, facts.homeFolder)}   logs ${tildePath(status.logs, facts.homeFolder)}`;
  if (!status.running) {
    const why = status.problem === null ? "" : `  ${status.problem}\n`;
    return `${statusIcon("stopped", facts)} The daemon does not run. Commands that need it start it.\n${why}${where}\n`;
  }
  const since = status.startedAt === null ? "" : `, since ${moment(status.startedAt)}`;
  const head = `${statusIcon("running", facts)} The daemon runs: pid ${status.pid}, ${status.url}, version ${status.version}${since}.`;
  const counts =
    status.sessions === null
      ? ""
      : `  ${status.sessions.running} running, ${status.sessions.queued} queued, ${status.sessions.waiting} waiting for you\n`;
  return `${head}\n${counts}${where}\n`;
}
