import type { Change, SyncState, WaitingEvent } from "@codehands/client/store";
import type { Tx } from "../database/transaction.ts";
import { writeMeta } from "../home/meta.ts";
import { type LineCells, lineOf } from "../sessions/event-line.ts";
import { chainEvents, cutEvents, fixLines, readCells } from "../sessions/event-log.ts";
import { foldAdopted } from "../sessions/fold-adopted.ts";
import { giveUpId } from "../sessions/left-to-other.ts";
import { countEvents, forgetPushed, isOwnSession, noteLog, takeAlong } from "../sessions/session-rows.ts";
import { forkSession } from "./fork-session.ts";
import { addLines, addOrphans, addWaiting, cutLines, dropWaiting } from "./line-rows.ts";
import type { LoadDeps } from "./load-view.ts";
import { forgetLogRows, putLog, readLog } from "./log-rows.ts";
import { dropRecord, forgetBases, putRecord } from "./record-rows.ts";
import { putSyncState, readSyncState } from "./state-rows.ts";

/** Carries out one write of a decision. Returns the own session whose events were numbered anew by it, or null. */
export function writeChange(tx: Tx, deps: LoadDeps, change: Change): string | null {
  switch (change.op) {
    case "state":
      moveTo(tx, readSyncState(tx.store, deps.deviceId), change.state);
      putSyncState(tx, change.state);
      return null;
    case "record":
      putRecord(tx, change.record);
      return null;
    case "forget-record":
      dropRecord(tx, change.key);
      return null;
    case "log":
      putLog(tx, change.log);
      noteLog(tx, change.log.streamId, change.log);
      return null;
    case "append":
      return append(tx, change);
    case "cut":
      return cut(tx, change);
    case "wait":
      return wait(tx, change);
    case "unwait":
      dropWaiting(tx, change.streamId, change.ids);
      return null;
    case "forget-rows":
      forgetBases(tx);
      forgetLogRows(tx, change.writer);
      forgetPushed(tx);
      return null;
    case "accept":
      deps.commands.accept(tx, change.command);
      return null;
    case "forked":
      return forkSession(tx, change, readSyncState(tx.store, deps.deviceId).deviceId);
  }
}

/**
 * S3: this database is another device's from now on. Who was asked which copy this is leaves the old id to the other one;
 * who signs out takes along what no account has heard of.
 */
function moveTo(tx: Tx, from: SyncState, { deviceId }: SyncState): void {
  if (from.deviceId === deviceId) return;
  writeMeta(tx, "device_id", deviceId);
  if (from.copy !== null) giveUpId(tx, from.deviceId);
  else takeAlong(tx, { from: from.deviceId, to: deviceId });
}

function append(tx: Tx, { streamId, events }: Extract<Change, { op: "append" }>): string | null {
  if (!isOwnSession(tx.store, streamId)) {
    addLines(tx, streamId, events);
    return null;
  }
  const came = chainEvents(tx, streamId, events);
  if (came.length === 0) return null;
  countEvents(tx, streamId);
  foldAdopted(tx, streamId, came);
  return streamId;
}

/**
 * Of an own session only the account's view is cut: what waits for a new number stays where the person sees it, and its
 * run counts on. Nothing that this device made goes because the cloud says that its log was deleted.
 */
function cut(tx: Tx, { streamId, after, to }: Extract<Change, { op: "cut" }>): string | null {
  const { store } = tx;
  if (!isOwnSession(store, streamId)) {
    const lines = cutLines(tx, streamId, after);
    if (to === "waiting") addWaiting(tx, streamId, { events: lines, where: "before" });
    if (to === "orphans") addOrphans(tx, streamId, lines);
    return null;
  }
  const end = readLog(store, streamId)?.lastSeq ?? Number.MAX_SAFE_INTEGER;
  if (to === "waiting") {
    const events = readCells(store, { sessionId: streamId, from: after + 1, to: end }).map(waitingOf);
    fixLines(tx, streamId, events);
    addWaiting(tx, streamId, { events, where: "before" });
  }
  if (to !== "orphans") return null;
  addOrphans(tx, streamId, cutEvents(tx, streamId, { after, end }));
  countEvents(tx, streamId);
  return streamId;
}

/** New events of an own session that wait behind others stand in its log already. */
function wait(tx: Tx, { streamId, events }: Extract<Change, { op: "wait" }>): null {
  addWaiting(tx, streamId, { events, where: "behind" });
  if (isOwnSession(tx.store, streamId)) fixLines(tx, streamId, events);
  return null;
}

const waitingOf = (cells: LineCells): WaitingEvent => ({ id: cells.id, line: lineOf(cells) });
