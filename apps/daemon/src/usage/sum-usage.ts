import type { UsageQuery, UsageReport } from "@codehands/api";
import { isRecord, readJson } from "../database/read-json.ts";

/** One run with what its session says; `costUsd` is what this run alone cost. */
export interface UsageRow {
  sessionId: string;
  /** True for the first run of the session: its session's tokens are counted here, once. */
  first: boolean;
  startedAt: string;
  agent: string;
  repo: string;
  device: string;
  costUsd: number;
  /** The session's tokens as stored JSON. */
  usage: string | null;
}

/** Adds runs up by day (UTC), agent, repository or device: newest day first, else the most expensive first. */
export function sumUsage(rows: readonly UsageRow[], by: UsageQuery["by"]): UsageReport {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const key = by === "day" ? row.startedAt.slice(0, 10) : row[by];
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const summed = [...groups].map(([key, group]) => ({ key, ...addUp(group) }));
  summed.sort((a, b) =>
    by === "day" ? b.key.localeCompare(a.key) : b.costUsd - a.costUsd || a.key.localeCompare(b.key),
  );
  const { sessions, runs, costUsd } = addUp(rows);
  return { by, rows: summed, total: { sessions, runs, costUsd } };
}

function addUp(rows: readonly UsageRow[]) {
  const tokens = rows.filter((row) => row.first).map((row) => tokensOf(row.usage));
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  return {
    sessions: new Set(rows.map((row) => row.sessionId)).size,
    runs: rows.length,
    // Providers bill in parts of a cent; what a sum of doubles adds behind that is noise.
    costUsd: Math.round(sum(rows.map((row) => row.costUsd)) * 1e6) / 1e6,
    inputTokens: sum(tokens.map((count) => count.input)),
    outputTokens: sum(tokens.map((count) => count.output)),
  };
}

/** All tokens that went in, cached ones included, and all that came out. */
function tokensOf(usage: string | null): { input: number; output: number } {
  const read = readJson(usage);
  const data = read.ok && isRecord(read.value) ? read.value : {};
  const count = (name: string): number => (typeof data[name] === "number" ? data[name] : 0);
  return { input: count("inputTokens") + count("cachedInputTokens"), output: count("outputTokens") };
}
