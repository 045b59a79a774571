import { LOG_KINDS, type LogRow, RECORD_KINDS, type RecordRow } from "@codehands/contracts";
import { type ChainedEvent, type HeldLog, newLog } from "../ports/held-log.ts";
import type { HeldRecord } from "../ports/held-record.ts";

/** Ids of tests: `id(7)` is always the same UUID. */
export const id = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
/** A mac of 16 bytes, for a number. */
export const mac = (n: number): string => `${n.toString(36).padStart(21, "m")}A`;
export const ME = id(1);
export const OTHER = id(2);

export function recordRow(change: Partial<RecordRow> = {}): RecordRow {
  return {
    kind: RECORD_KINDS.preference,
    id: id(10),
    version: 5,
    rev: 1,
    mac: mac(1),
    keyId: 1,
    body: "sealed",
    deleted: false,
    writer: OTHER,
    receivedAt: "2026-01-01T00:00:00.000Z",
    ...change,
  };
}

export function heldRecord(change: Partial<HeldRecord> = {}): HeldRecord {
  return {
    kind: RECORD_KINDS.preference,
    id: id(10),
    rev: 1,
    body: "{}",
    deleted: false,
    writer: ME,
    mac: "",
    item: "",
    base: null,
    dirty: "",
    blocked: null,
    quarantine: null,
    ...change,
  };
}

export function logRow(change: Partial<LogRow> = {}): LogRow {
  const name = { streamId: id(20), kind: LOG_KINDS.session, writer: ME, writerEpoch: 1 };
  return { ...name, lastSeq: 2, tailMac: mac(102), version: 7, deleted: false, ...change };
}

export function heldLog(change: Partial<HeldLog> = {}): HeldLog {
  return { ...newLog({ streamId: id(20), kind: LOG_KINDS.session, writer: ME }), mine: true, ...change };
}

/** Events from … to of a log whose chain value after seq n is `mac(100 + n)`. */
export function events(from: number, to: number): ChainedEvent[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const seq = from + i;
    return { seq, id: id(1000 + seq), mac: mac(100 + seq), line: `{"seq":${seq}}` };
  });
}
