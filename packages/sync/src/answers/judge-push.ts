import type { LogRow, PushCode, PushRequest, RecordRow } from "@codehands/contracts";
import { CHAIN_START } from "../ports/held-log.ts";
import { isSharedKind } from "../records/may-write.ts";

/** One log of a push, as its sealed headers say it. */
export type PushedLog = Omit<PushRequest["logs"][number], "lens"> & {
  /** `from - 1` without events. */
  to: number;
  writer: string;
};

export type LogVerdict =
  | { code: "OK"; effect: "create" | "append" | "delete" | "none" }
  | { code: Extract<PushCode, "HAVE" | "GONE" | "FENCED">; effect: "none" };

/** Table T1: what the cloud does with one log of a push (S13). `row` is null when it has none. */
export function judgeLogPush(row: LogRow | null, log: PushedLog): LogVerdict {
  if (!row) {
    const begins = log.from === 1 && (log.deleted || log.prevMac === CHAIN_START);
    return begins ? { code: "OK", effect: log.deleted ? "delete" : "create" } : { code: "HAVE", effect: "none" };
  }
  if (row.deleted) return { code: "GONE", effect: "none" };
  if (row.writer !== log.writer || row.writerEpoch !== log.writerEpoch) return { code: "FENCED", effect: "none" };
  if (log.deleted) return { code: "OK", effect: "delete" };
  if (log.from === row.lastSeq + 1 && log.prevMac === row.tailMac) return { code: "OK", effect: "append" };
  const repeated = log.to === row.lastSeq && log.mac === row.tailMac;
  return { code: repeated ? "OK" : "HAVE", effect: "none" };
}

/** One record of a push, as its sealed header says it. */
export interface PushedRecord {
  kind: number;
  base: number;
  writer: string;
  /** The device that pushes. */
  sender: string;
  /** The push says that it was sealed before the cloud was restored. */
  again?: boolean;
}

/** Table T1b: what the cloud does with one record of a push (S22, S23). */
export function judgeRecordPush(row: RecordRow | null, record: PushedRecord): "OK" | "FORBIDDEN" | "CONFLICT" {
  const shared = isSharedKind(record.kind);
  // S25: a shared record that is sent again keeps the writer that sealed it.
  if (record.writer !== record.sender && !(shared && record.again === true)) return "FORBIDDEN";
  if (!shared && row !== null && row.writer !== record.sender) return "FORBIDDEN";
  return record.base === (row?.version ?? 0) ? "OK" : "CONFLICT";
}
