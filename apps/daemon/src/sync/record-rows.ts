import type { HeldRecord, RecordKey } from "@codehands/client/store";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

interface Cells extends Omit<HeldRecord, "deleted" | "base"> {
  deleted: number;
  base: string | null;
}

const SELECT = `select kind, id, rev, body, deleted, writer, mac, item, base, dirty, blocked, quarantine
  from sync_records`;

/** Stores a record in place of what is held under its key. */
export function putRecord(tx: Tx, record: HeldRecord): void {
  tx.store
    .prepare(
      `insert or replace into sync_records
         (kind, id, rev, body, deleted, writer, mac, item, base, dirty, blocked, quarantine)
       values (@kind, @id, @rev, @body, @deleted, @writer, @mac, @item, @base, @dirty, @blocked, @quarantine)`,
    )
    .run({ ...record, deleted: record.deleted ? 1 : 0, base: writeBase(record) });
}

/** Drops a record. */
export function dropRecord(tx: Tx, { kind, id }: RecordKey): void {
  tx.store.prepare("delete from sync_records where kind = ? and id = ?").run(kind, id);
}

/** Forgets the cloud's rows of all records (S10). */
export function forgetBases(tx: Tx): void {
  tx.store.prepare("update sync_records set base = null where base is not null").run();
}

/** Forgets all records: the account was signed out. */
export function forgetRecords(tx: Tx): void {
  tx.store.prepare("delete from sync_records").run();
}

/** One record. */
export function readRecord(store: OpenDatabase, { kind, id }: RecordKey): HeldRecord | null {
  const cells = store.prepare(`${SELECT} where kind = ? and id = ?`).get(kind, id) as Cells | undefined;
  return cells === undefined ? null : toRecord(cells);
}

/** The records of one kind, tombstones included; of all kinds without one. */
export function listRecords(store: OpenDatabase, kind?: number): HeldRecord[] {
  const rows = kind === undefined ? store.prepare(SELECT).all() : store.prepare(`${SELECT} where kind = ?`).all(kind);
  return (rows as Cells[]).map(toRecord);
}

/** Records that the cloud refused, and those whose row could not be opened. */
export function listRefused(store: OpenDatabase): HeldRecord[] {
  return (store.prepare(`${SELECT} where blocked is not null or quarantine is not null`).all() as Cells[]).map(
    toRecord,
  );
}

/** Records that are to be sent, at most `limit` of one sort. */
export function listDirty(store: OpenDatabase, sort: "edit" | "salvage", limit: number): HeldRecord[] {
  const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
  return (store.prepare(`${SELECT} where dirty = ? limit ?`).all(sort, most) as Cells[]).map(toRecord);
}

/** How many records are to be sent. */
export function countUnsentRecords(store: OpenDatabase): number {
  return store.prepare("select count(*) from sync_records where dirty <> ''").pluck().get() as number;
}

/** Records of which the cloud's row is not known. */
export function listUnbased(store: OpenDatabase): HeldRecord[] {
  return (store.prepare(`${SELECT} where base is null`).all() as Cells[]).map(toRecord);
}

/** Commands without a final outcome in the records, with the outcomes that there are. */
export function listOpenCommands(store: OpenDatabase, kinds: { command: number; outcome: number }): HeldRecord[] {
  const ids = store
    .prepare(
      `select c.id from sync_records c
         left join sync_records o on o.kind = @outcome and o.id = c.id
         left join commands m on m.id = c.id
       where c.kind = @command and (
         o.id is null or o.body is null or not json_valid(o.body)
         or coalesce(json_extract(o.body, '$.state'), '') not in ('done', 'refused', 'expired', 'in_doubt')
         or (m.state <> 'claimed' and m.state <> json_extract(o.body, '$.state')))`,
    )
    .pluck()
    .all(kinds) as string[];
  return ids.flatMap((id) => [kinds.command, kinds.outcome].flatMap((kind) => readRecord(store, { kind, id }) ?? []));
}

// The cloud's row mostly holds the very bytes that are kept as the item: they are stored once.
function writeBase({ base, item }: HeldRecord): string | null {
  if (base === null) return null;
  return JSON.stringify(base.body === item ? { ...base, body: null } : base);
}

function toRecord(cells: Cells): HeldRecord {
  const base = cells.base === null ? null : JSON.parse(cells.base);
  return {
    ...cells,
    deleted: cells.deleted === 1,
    base: base === null ? null : { ...base, body: base.body ?? cells.item },
  };
}
