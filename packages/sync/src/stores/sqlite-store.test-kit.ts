import { RECORD_KINDS } from "@codehands/contracts";
import Database from "better-sqlite3";
import { withoutRow } from "../feed/draft.ts";
import { CHAIN_START, type ChainedEvent, type HeldLog, isSettled, type WaitingEvent } from "../ports/held-log.ts";
import { type HeldRecord, recordKey } from "../ports/held-record.ts";
import type { Change, Decision, LogView, Need, Store, View } from "../ports/store.ts";
import { newSyncState, type SyncState } from "../ports/sync-state.ts";
import type { AcceptCommand } from "./memory-store.ts";
import { pairCommands } from "./pair-commands.ts";

const TABLES = `
  create table if not exists state (one integer primary key check (one = 1), body text not null);
  create table if not exists records (kind integer, id text, dirty text, unbased integer, body text, primary key (kind, id));
  create table if not exists logs (stream_id text primary key, unsettled integer, body text);
  create table if not exists events (stream_id text, seq integer, id text, mac text, line text, primary key (stream_id, seq));
  create table if not exists waiting (stream_id text, n integer, id text, line text, primary key (stream_id, n));
  create table if not exists orphans (stream_id text, id text, line text);
  create table if not exists applied (id text primary key, outcome text);
`;

/** A store over SQLite, as the port wants one: load, decide and write in one immediate transaction. */
export class SqliteStore implements Store {
  readonly #db: Database.Database;
  readonly #deviceId: string;
  readonly #accept: AcceptCommand;

  constructor(path: string, deviceId: string, accept: AcceptCommand = () => null) {
    this.#db = new Database(path);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.exec(TABLES);
    this.#deviceId = deviceId;
    this.#accept = accept;
  }

  close(): void {
    this.#db.close();
  }
  async read(need: Need): Promise<View> {
    return this.#db.transaction(() => this.#load(need))();
  }
  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    return this.#db
      .transaction(() => {
        const { changes, result } = decide(this.#load(need));
        for (const change of changes) this.#write(change);
        return result;
      })
      .immediate();
  }

  #all<T>(sql: string, ...values: unknown[]): T[] {
    return this.#db.prepare(sql).all(...values) as T[];
  }
  #bodies<T>(sql: string, ...values: unknown[]): T[] {
    return this.#all<{ body: string }>(sql, ...values).map(({ body }) => JSON.parse(body) as T);
  }
  #run(sql: string, ...values: unknown[]): void {
    this.#db.prepare(sql).run(...values);
  }

  #load(need: Need): View {
    const records: HeldRecord[] = (need.records ?? []).flatMap(({ kind, id }) =>
      this.#bodies<HeldRecord>("select body from records where kind = ? and id = ?", kind, id),
    );
    if (need.unbased) records.push(...this.#bodies<HeldRecord>("select body from records where unbased = 1"));
    if (need.dirty !== undefined)
      for (const sort of ["edit", "salvage"])
        records.push(...this.#bodies<HeldRecord>("select body from records where dirty = ? limit ?", sort, need.dirty));
    const logs = (need.logs ?? []).flatMap((id) =>
      this.#bodies<HeldLog>("select body from logs where stream_id = ?", id),
    );
    if (need.unsettled) logs.push(...this.#bodies<HeldLog>("select body from logs where unsettled = 1"));
    const { streamId, from, to } = need.events ?? { streamId: "", from: 1, to: 0 };
    const range = "select seq, id, mac, line from events where stream_id = ? and seq between ? and ? order by seq";
    const [state = newSyncState(this.#deviceId)] = this.#bodies<SyncState>("select body from state");
    return {
      state,
      records: new Map(records.map((record) => [recordKey(record), record])),
      logs: new Map(logs.map((log) => [log.streamId, this.#logView(log)])),
      events: this.#all<ChainedEvent>(range, streamId, from, to),
      waiting: this.#all<WaitingEvent>("select id, line from waiting where stream_id = ? order by n", streamId),
      commands: need.commands ? this.#commands(state.deviceId) : [],
    };
  }

  #logView(log: HeldLog): LogView {
    const at = log.row?.lastSeq;
    if (at === undefined || at === 0) return { ...log, atRow: at === undefined ? null : CHAIN_START };
    const sql = "select mac from events where stream_id = ? and seq = ?";
    return { ...log, atRow: this.#all<{ mac: string }>(sql, log.streamId, at)[0]?.mac ?? null };
  }

  #commands(deviceId: string): View["commands"] {
    const { command, outcome } = RECORD_KINDS;
    const records = this.#bodies<HeldRecord>("select body from records where kind in (?, ?)", command, outcome);
    const rows = this.#all<{ id: string; outcome: string | null }>("select id, outcome from applied");
    return pairCommands({ deviceId, records, applied: new Map(rows.map((row) => [row.id, row.outcome])) });
  }

  #write(change: Change): void {
    switch (change.op) {
      case "state":
        return this.#run("insert or replace into state values (1, ?)", JSON.stringify(change.state));
      case "record":
        return this.#putRecord(change.record);
      case "forget-record":
        return this.#run("delete from records where kind = ? and id = ?", change.key.kind, change.key.id);
      case "log":
        return this.#putLog(change.log);
      case "append":
        for (const { seq, id, mac, line } of change.events)
          this.#run("insert into events values (?, ?, ?, ?, ?)", change.streamId, seq, id, mac, line);
        return;
      case "cut":
        return this.#cut(change);
      case "wait":
        for (const { id, line } of change.events)
          this.#run(
            "insert into waiting select ?, coalesce(max(n), 0) + 1, ?, ? from waiting where stream_id = ?",
            change.streamId,
            id,
            line,
            change.streamId,
          );
        return;
      case "unwait":
        if (change.ids === "all") return this.#run("delete from waiting where stream_id = ?", change.streamId);
        for (const id of change.ids)
          this.#run("delete from waiting where stream_id = ? and id = ?", change.streamId, id);
        return;
      case "forget-rows":
        for (const record of this.#bodies<HeldRecord>("select body from records"))
          this.#putRecord({ ...record, base: null });
        for (const log of this.#bodies<HeldLog>("select body from logs")) this.#putLog(withoutRow(log, change.writer));
        return;
      case "accept":
        return this.#run("insert into applied values (?, ?)", change.command.id, this.#accept(change.command));
      case "forked":
        return;
    }
  }

  #putRecord(record: HeldRecord): void {
    const { kind, id, dirty, base } = record;
    const sql = "insert or replace into records values (?, ?, ?, ?, ?)";
    this.#run(sql, kind, id, dirty, base ? 0 : 1, JSON.stringify(record));
  }
  #putLog(log: HeldLog): void {
    const sql = "insert or replace into logs values (?, ?, ?)";
    this.#run(sql, log.streamId, isSettled(log) ? 0 : 1, JSON.stringify(log));
  }

  #cut({ streamId, after, to }: Extract<Change, { op: "cut" }>): void {
    const tail = "from events where stream_id = ? and seq > ?";
    if (to === "orphans")
      this.#run(`insert into orphans select stream_id, id, line ${tail} order by seq`, streamId, after);
    if (to === "waiting") {
      const sql = "select coalesce(min(n), 1) - ? - 1 as n from waiting where stream_id = ?";
      const moved = this.#all<WaitingEvent>(`select id, line ${tail} order by seq`, streamId, after);
      const start = this.#all<{ n: number }>(sql, moved.length, streamId)[0]?.n ?? 0;
      for (const [i, { id, line }] of moved.entries())
        this.#run("insert into waiting values (?, ?, ?, ?)", streamId, start + 1 + i, id, line);
    }
    this.#run(`delete ${tail}`, streamId, after);
  }
}
