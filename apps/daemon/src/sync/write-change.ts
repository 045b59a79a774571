import type { Change } from "@codehands/client/store";
import type { Tx } from "../database/transaction.ts";
import { writeMeta } from "../home/meta.ts";
import { addEvents, chainEvents, cutEvents, removeEvents } from "../sessions/event-log.ts";
import { foldAdopted } from "../sessions/fold-adopted.ts";
import { countEvents, forgetPushed, isOwnSession, noteLog } from "../sessions/session-rows.ts";
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
      // S3: this copy became a device of its own.
      if (readSyncState(tx.store, deps.deviceId).deviceId !== change.state.deviceId)
        writeMeta(tx, "device_id", change.state.deviceId);
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

function cut(tx: Tx, { streamId, after, to }: Extract<Change, { op: "cut" }>): string | null {
  const isOwn = isOwnSession(tx.store, streamId);
  const end = readLog(tx.store, streamId)?.lastSeq ?? Number.MAX_SAFE_INTEGER;
  const events = isOwn ? cutEvents(tx, streamId, { after, end }) : cutLines(tx, streamId, after);
  if (to === "waiting") addWaiting(tx, streamId, { events, where: "before" });
  if (to === "orphans") addOrphans(tx, streamId, events);
  if (!isOwn) return null;
  countEvents(tx, streamId);
  return streamId;
}

/** Events of an own session that are to wait stood in its log without a chain value. */
function wait(tx: Tx, { streamId, events }: Extract<Change, { op: "wait" }>): string | null {
  addWaiting(tx, streamId, { events, where: "behind" });
  if (!isOwnSession(tx.store, streamId)) return null;
  removeEvents(
    tx,
    streamId,
    events.map(({ id }) => id),
  );
  countEvents(tx, streamId);
  return streamId;
}

/** At the end of an account: what waits in an own session takes its place behind the last event. */
export function settleWaiting(tx: Tx, streamId: string, events: readonly { id: string; line: string }[]): void {
  if (!isOwnSession(tx.store, streamId)) return;
  addEvents(tx, streamId, events);
  countEvents(tx, streamId);
}
