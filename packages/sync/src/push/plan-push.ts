import { PUSH_LIMITS } from "@codehands/contracts";
import { judgeLog } from "../logs/judge-log.ts";
import type { ChainedEvent } from "../ports/held-log.ts";
import { type HeldRecord, type RecordKey, recordKey } from "../ports/held-record.ts";
import type { LogView, View } from "../ports/store.ts";
import { mayWrite } from "../records/may-write.ts";

/** A part of a push: events from … to of a log, or its deletion. */
export interface PlannedLog {
  streamId: string;
  from: number;
  /** `from - 1` for a deletion. */
  to: number;
  deleted: boolean;
}

export interface PushPlan {
  logs: PlannedLog[];
  records: RecordKey[];
  /** Everything in it was the cloud's before it was put back. */
  again: boolean;
}

/** What a push may hold; a sealed item costs about this much more than its text. */
export interface PushBudget {
  events: number;
  bytes: number;
}
const SEALED_EXTRA = 400;

/**
 * The next push: what a restored cloud lost first, by itself, then what is new; at most `budget`. Null: nothing is to be
 * sent. Bytes of events are not known yet; `cutRun` sees to them.
 */
export function planPush(view: View, budget: PushBudget = PUSH_LIMITS): PushPlan | null {
  const { deviceId } = view.state;
  const logs = [...view.logs.values()].filter((log) => ["push", "delete"].includes(judgeLog(log, deviceId).do));
  const records = [...view.records.values()].filter((record) => isSendable(record, deviceId));
  const lost = logs.filter((log) => !log.dead && log.pushedSeq < log.finalSeq);
  const salvage = records.filter((record) => record.dirty === "salvage");
  const again = lost.length + salvage.length > 0;
  const plan: PushPlan = { logs: [], records: [], again };
  let { events, bytes } = budget;
  for (const log of again ? lost : logs) {
    if (events <= 0 && !log.dead) break;
    const planned = planLog(log, again, events);
    plan.logs.push(planned);
    events -= planned.to - planned.from + 1;
  }
  for (const record of again ? salvage : records.filter(({ dirty }) => dirty === "edit")) {
    bytes -= sizeOf(record);
    if (bytes < 0 && plan.records.length > 0) break;
    plan.records.push({ kind: record.kind, id: record.id });
  }
  return plan.logs.length + plan.records.length > 0 ? plan : null;
}

/** A record that this device may write and the cloud has not refused for good (S26). */
export function isSendable(record: HeldRecord, deviceId: string): boolean {
  return record.dirty !== "" && record.blocked === null && mayWrite(record, deviceId);
}

/** The events of a run that fit into `bytes`, at least one. */
export function cutRun(run: readonly ChainedEvent[], bytes: number): readonly ChainedEvent[] {
  let left = bytes;
  const over = run.findIndex((event) => (left -= byteLength(event.line) + 1) < 0);
  return over < 0 ? run : run.slice(0, Math.max(1, over));
}

/** About how many bytes the records of a plan take on the wire. */
export function recordBytes(view: View, plan: PushPlan): number {
  return plan.records.reduce((sum, key) => sum + sizeOf(view.records.get(recordKey(key))), 0);
}

function planLog(log: LogView, again: boolean, events: number): PlannedLog {
  const { streamId, dead } = log;
  const from = log.pushedSeq + 1;
  const end = again ? Math.min(log.lastSeq, log.finalSeq) : log.lastSeq;
  return { streamId, from, to: dead ? from - 1 : Math.min(end, from + events - 1), deleted: dead };
}

function sizeOf(record: HeldRecord | undefined): number {
  if (!record) return 0;
  return record.item ? record.item.length : byteLength(record.body ?? "") + SEALED_EXTRA;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
