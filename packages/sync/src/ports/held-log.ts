import type { LogRow } from "@codehands/contracts";

/** Chain value before the first event: 16 zero bytes. */
export const CHAIN_START = "AAAAAAAAAAAAAAAAAAAAAA";

/** One event of a log: its line as stored and the chain value after it. */
export interface ChainedEvent {
  seq: number;
  id: string;
  mac: string;
  /** The line, exactly as its owner stored it. */
  line: string;
}

/** An event that has no number yet. */
export type WaitingEvent = Pick<ChainedEvent, "id" | "line">;

/** A log as a device holds it. */
export interface HeldLog {
  streamId: string;
  kind: number;
  writer: string;
  /** This database wrote here. */
  mine: boolean;
  /** Its events are wanted here: somebody opened it, or this device is its writer (S35). */
  followed: boolean;
  /** Deleted, here or in the cloud. */
  dead: boolean;
  /** The cloud's row as last seen. */
  row: LogRow | null;
  lastSeq: number;
  tailMac: string;
  pushedSeq: number;
  /** The highest seq that was ever acknowledged. */
  finalSeq: number;
  /** How many events wait for a number (S17). */
  waiting: number;
  /** Grows when numbers changed (P3). */
  generation: number;
  /** Why the cloud's segments could not be opened, and at which version. */
  blocked: { code: string; version: number } | null;
}

/** A log of which nothing is known yet. */
export function newLog({ streamId, kind, writer }: Pick<HeldLog, "streamId" | "kind" | "writer">): HeldLog {
  return {
    streamId,
    kind,
    writer,
    mine: false,
    followed: false,
    dead: false,
    row: null,
    lastSeq: 0,
    tailMac: CHAIN_START,
    pushedSeq: 0,
    finalSeq: 0,
    waiting: 0,
    generation: 0,
    blocked: null,
  };
}

/** S35: its events are fetched. Of any other log only the newest row is kept. */
export const isFetched = (log: HeldLog): boolean => log.mine || log.followed;

/** V20: the cloud's row names another writer than the log's. Nothing follows from such a row. */
export const isMisnamed = ({ row, writer }: HeldLog): boolean => row !== null && row.writer !== writer;

/** Nothing is to be sent, fetched or decided: held and cloud agree. */
export function isSettled(log: HeldLog): boolean {
  const { row } = log;
  if (isMisnamed(log)) return false;
  if (log.dead) return row === null || row.deleted;
  if (row?.deleted) return false;
  if (!isFetched(log)) return true;
  if (!row) return log.lastSeq === 0 && log.waiting === 0;
  const agrees = row.lastSeq === log.lastSeq && row.tailMac === log.tailMac && log.pushedSeq === log.lastSeq;
  return agrees && log.waiting === 0;
}
