import type { UsageReport } from "@codehands/api";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { tokens, usd } from "./amounts.ts";
import { renderTable } from "./table.ts";

/** What the agents cost, one line per day, agent, repository or device, and the sum. */
export function renderUsage(report: UsageReport, facts: TerminalFacts): string {
  if (report.rows.length === 0) return "Nothing was used in this time.\n";
  const columns = [
    { title: report.by.toUpperCase(), grows: true },
    { title: "SESSIONS" },
    { title: "RUNS" },
    { title: "TOKENS IN" },
    { title: "TOKENS OUT" },
    { title: "COST" },
  ];
  const rows = report.rows.map((row) => ({
    cells: [
      stripToLine(row.key),
      String(row.sessions),
      String(row.runs),
      tokens(row.inputTokens),
      tokens(row.outputTokens),
      usd(row.costUsd),
    ],
  }));
  const { sessions, runs, costUsd } = report.total;
  const total = { cells: ["total", String(sessions), String(runs), "", "", usd(costUsd)] };
  return `${renderTable(columns, [...rows, total], facts).join("\n")}\n`;
}
