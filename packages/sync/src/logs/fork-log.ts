import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import type { Draft } from "../feed/draft.ts";
import { type ChainedEvent, type HeldLog, newLog } from "../ports/held-log.ts";
import { editRecord } from "../records/edit-record.ts";
import { appendChained } from "./append-events.ts";

export interface Fork {
  log: HeldLog;
  /** Events after this seq move, and all that wait. */
  at: number;
  /** Own chain value at that seq. */
  atMac: string;
  /** The log itself goes: the session was deleted. */
  drop: boolean;
  /** The fork's id, and its events on a chain of their own. */
  streamId: string;
  events: readonly ChainedEvent[];
}

/** S16: a tail that cannot be appended becomes a session of its own, in one transaction; the events keep their ids. */
export function forkLog(draft: Draft, { log, at, atMac, drop, streamId, events }: Fork): void {
  const { deviceId } = draft.state;
  draft.write({ op: "cut", streamId: log.streamId, after: drop ? 0 : at, to: "nowhere" });
  if (log.waiting > 0) draft.write({ op: "unwait", streamId: log.streamId, ids: "all" });
  draft.putLog(drop ? droppedLog(log) : withoutTail(log, at, atMac));
  if (at === 0 && !log.row) forgetOwnRecord(draft, log.streamId);
  const fork = { ...newLog({ streamId, kind: LOG_KINDS.session, writer: deviceId }), mine: true };
  appendChained(draft, fork, events);
  draft.write({ op: "forked", from: log.streamId, at, streamId });
  const body = JSON.stringify({ forkOf: log.streamId, forkAt: at });
  const record = { kind: RECORD_KINDS.session, id: streamId, body };
  draft.putRecord(record, editRecord(draft.record(record), record, deviceId));
}

/** A log that was deleted: nothing of it is held but its row. */
export function droppedLog(log: HeldLog): HeldLog {
  const { tailMac } = newLog(log);
  return { ...log, mine: false, dead: true, lastSeq: 0, tailMac, pushedSeq: 0, finalSeq: 0, waiting: 0 };
}

function withoutTail(log: HeldLog, at: number, atMac: string): HeldLog {
  const cut = { mine: false, waiting: 0, lastSeq: at, tailMac: atMac, generation: log.generation + 1 };
  return { ...log, ...cut, pushedSeq: Math.min(log.pushedSeq, at), finalSeq: Math.min(log.finalSeq, at) };
}

/** The old session was never the cloud's: its record, written under the device's old id, goes with it. */
function forgetOwnRecord(draft: Draft, streamId: string): void {
  const key = { kind: RECORD_KINDS.session, id: streamId };
  const record = draft.record(key);
  if (record && !record.base && record.dirty === "edit") draft.putRecord(key, null);
}
