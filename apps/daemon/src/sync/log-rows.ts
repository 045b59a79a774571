import { type HeldLog, isSettled } from "@codehands/client/store";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

interface Cells extends Omit<HeldLog, "mine" | "followed" | "dead" | "row" | "blocked"> {
  mine: number;
  followed: number;
  dead: number;
  row: string | null;
  blocked: string | null;
}

const SELECT = `select stream_id streamId, kind, writer, mine, followed, dead, "row", last_seq lastSeq, tail_mac tailMac,
  pushed_seq pushedSeq, final_seq finalSeq, waiting, generation, blocked from sync_logs`;

/** Stores a log in place of what is held of it. */
export function putLog(tx: Tx, log: HeldLog): void {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const bit = (value: boolean): number => (value ? 1 : 0);
  tx.store
    .prepare(
      `insert or replace into sync_logs
         (stream_id, kind, writer, mine, followed, dead, "row", last_seq, tail_mac, pushed_seq, final_seq, waiting,
          generation, blocked, unsettled)
       values (@streamId, @kind, @writer, @mine, @followed, @dead, @row, @lastSeq, @tailMac, @pushedSeq, @finalSeq,
          @waiting, @generation, @blocked, @unsettled)`,
    )
    .run({
      ...log,
      mine: bit(log.mine),
      followed: bit(log.followed),
      dead: bit(log.dead),
      row: json(log.row),
      blocked: json(log.blocked),
      unsettled: bit(!isSettled(log)),
    });
}

/** S10: the cloud's rows are forgotten; what `writer` pushed is to be pushed again. */
export function forgetLogRows(tx: Tx, writer: string): void {
  tx.store
    .prepare(
      `update sync_logs set "row" = null, blocked = null,
         pushed_seq = case when writer = @writer then 0 else pushed_seq end,
         unsettled = case when dead = 1 or (mine = 0 and followed = 0) or (last_seq = 0 and waiting = 0) then 0 else 1 end`,
    )
    .run({ writer });
}

/** Forgets all logs: the account was signed out. */
export function forgetLogs(tx: Tx): void {
  tx.store.prepare("delete from sync_logs").run();
}

/** One log. */
export function readLog(store: OpenDatabase, streamId: string): HeldLog | null {
  const cells = store.prepare(`${SELECT} where stream_id = ?`).get(streamId) as Cells | undefined;
  return cells === undefined ? null : toLog(cells);
}

/** Every log of which something is to be sent, fetched or decided. */
export function listUnsettled(store: OpenDatabase): HeldLog[] {
  return (store.prepare(`${SELECT} where unsettled = 1`).all() as Cells[]).map(toLog);
}

/** How many own events are chained and not acknowledged. */
export function countUnsentEvents(store: OpenDatabase): number {
  return store
    .prepare("select coalesce(sum(last_seq - pushed_seq + waiting), 0) from sync_logs where unsettled = 1 and mine = 1")
    .pluck()
    .get() as number;
}

function toLog(cells: Cells): HeldLog {
  return {
    ...cells,
    mine: cells.mine === 1,
    followed: cells.followed === 1,
    dead: cells.dead === 1,
    row: cells.row === null ? null : JSON.parse(cells.row),
    blocked: cells.blocked === null ? null : JSON.parse(cells.blocked),
  };
}
