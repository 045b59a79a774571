import type { Tx } from "../database/transaction.ts";
import { lineOf } from "../sessions/event-line.ts";
import { addEvents, readCells, removeEvents } from "../sessions/event-log.ts";
import { changeSession, countEvents, insertSession, moveSession, readSession } from "../sessions/session-rows.ts";
import { cutLines, readLines } from "./line-rows.ts";
import { readLog } from "./log-rows.ts";

const FINAL = ["approved", "rejected", "failed"];

/**
 * S16: the tail of a session became a session of its own. What belongs to it on this disk (worktree, private git folder,
 * snapshot) follows, and so does what was not chained yet; the old one keeps its log and stays as superseded. Returns
 * the fork's id when this device's own tables knew the session.
 */
export function forkSession(
  tx: Tx,
  { from, streamId }: { from: string; streamId: string },
  deviceId: string,
): string | null {
  const row = readSession(tx.store, from);
  if (row === undefined) return null;
  const { status, rev: _rev, dirty: _dirty, ...kept } = row;
  insertSession(tx, {
    ...kept,
    id: streamId,
    deviceId,
    continuesId: from,
    continuesAs: "fork",
    lastSeq: 0,
    pushedSeq: 0,
    generation: 0,
    lastHash: null,
  });
  const moved = readLines(tx.store, { streamId, from: 1, to: Number.MAX_SAFE_INTEGER });
  cutLines(tx, streamId, 0);
  const end = readLog(tx.store, from)?.lastSeq ?? 0;
  const tail = readCells(tx.store, { sessionId: from, from: end + 1, to: Number.MAX_SAFE_INTEGER });
  removeEvents(
    tx,
    from,
    tail.map(({ id }) => id),
  );
  const known = new Set(moved.map(({ id }) => id));
  const rest = tail.filter(({ id }) => !known.has(id)).map((cells) => ({ id: cells.id, line: lineOf(cells) }));
  addEvents(tx, streamId, [...moved, ...rest]);
  countEvents(tx, from);
  countEvents(tx, streamId);
  followStatus(tx, streamId, status);
  const gone = { worktree: null, privateGitDir: null, snapshotRef: null, supersededBy: streamId };
  if (FINAL.includes(status)) changeSession(tx, from, gone);
  else moveSession(tx, from, { to: "failed", change: { ...gone, reason: "superseded" } });
  return streamId;
}

/** A new row is queued: it goes the way that the contract allows to the status of the old one. */
function followStatus(tx: Tx, id: string, status: string): void {
  const ways: Record<string, ("running" | "stopped" | "awaiting_approval" | "approved" | "rejected" | "failed")[]> = {
    running: ["running"],
    stopped: ["running", "stopped"],
    awaiting_approval: ["running", "awaiting_approval"],
    approved: ["running", "awaiting_approval", "approved"],
    rejected: ["running", "awaiting_approval", "rejected"],
    failed: ["failed"],
  };
  for (const to of ways[status] ?? []) moveSession(tx, id, { to });
}
