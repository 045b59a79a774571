import type { SessionView } from "@codehands/api";
import { AGENT_KINDS, END_REASONS } from "@codehands/contracts";
import { isRecord, readJson } from "../database/read-json.ts";
import type { SessionRow } from "./session-rows.ts";

/** What a view needs besides the row. */
export interface ViewContext {
  /** This device. */
  deviceId: string;
  deviceName: string;
}

/**
 * A session as every screen sees it; null when the row cannot be read (a JSON cell is damaged, or a newer version
 * wrote something this one does not know): it is then counted, and hides no other.
 */
export function sessionView(
  row: SessionRow & { remote: string | null },
  { deviceId, deviceName }: ViewContext,
): SessionView | null {
  const agent = AGENT_KINDS.find((known) => known === row.agent);
  const reason = row.reason === null ? null : END_REASONS.find((known) => known === row.reason);
  const usage = readJson(row.usage);
  const diff = readCounts(row.diff);
  const tests = readTests(row.tests);
  if (agent === undefined || reason === undefined || !usage.ok || diff === undefined || tests === undefined)
    return null;
  return {
    id: row.id,
    shortId: row.id.slice(0, 8),
    title: row.title,
    prompt: row.prompt,
    status: row.status,
    agent,
    model: row.model,
    repo: { key: row.repoKey, path: row.repoPath, remote: row.remote },
    device: { id: row.deviceId, name: row.deviceId === deviceId ? deviceName : row.deviceId.slice(0, 8) },
    branch: row.branch,
    baseRef: row.baseRef,
    baseCommit: row.baseCommit,
    worktree: row.worktree,
    commit: row.commit,
    treeId: row.treeId,
    cost: { usd: row.costUsd, budgetUsd: row.budgetUsd },
    usage: usage.value,
    numTurns: row.numTurns,
    diff,
    tests,
    reason,
    taskId: row.taskId,
    continuesId: row.continuesId,
    supersededBy: row.supersededBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    lastSeq: row.lastSeq,
    rev: row.rev,
  };
}

function readCounts(cell: string | null): SessionView["diff"] | undefined {
  const json = readJson(cell);
  if (!json.ok) return undefined;
  if (json.value === null) return null;
  if (!isRecord(json.value)) return undefined;
  const { files, additions, deletions } = json.value;
  const counted = typeof files === "number" && typeof additions === "number" && typeof deletions === "number";
  return counted ? { files, additions, deletions } : undefined;
}

function readTests(cell: string | null): SessionView["tests"] | undefined {
  const json = readJson(cell);
  if (!json.ok) return undefined;
  if (json.value === null) return null;
  if (!isRecord(json.value)) return undefined;
  const { command, passed, seq } = json.value;
  const known = typeof command === "string" && typeof passed === "boolean" && typeof seq === "number";
  return known ? { command, passed, seq } : undefined;
}
