import { RECORD_KINDS } from "@codehands/contracts";
import { withoutRow } from "../feed/draft.ts";
import { CHAIN_START, type ChainedEvent, type HeldLog, isSettled, type WaitingEvent } from "../ports/held-log.ts";
import { type HeldRecord, recordKey } from "../ports/held-record.ts";
import type { Change, Decision, LogView, Need, Store, View } from "../ports/store.ts";
import { newSyncState, type SyncState } from "../ports/sync-state.ts";
import { pairCommands } from "./pair-commands.ts";

/** Everything that a store keeps. */
export interface StoreData {
  state: SyncState;
  records: Map<string, HeldRecord>;
  logs: Map<string, HeldLog>;
  events: Map<string, ChainedEvent[]>;
  waiting: Map<string, WaitingEvent[]>;
  orphans: (WaitingEvent & { streamId: string })[];
  applied: Map<string, string | null>;
}

/** Called inside the transaction that takes a command on; null: the outcome comes later. */
export type AcceptCommand = (command: HeldRecord) => string | null;

/** An empty store of a device that never met the cloud. */
export function newStoreData(deviceId: string): StoreData {
  return {
    state: newSyncState(deviceId),
    records: new Map(),
    logs: new Map(),
    events: new Map(),
    waiting: new Map(),
    orphans: [],
    applied: new Map(),
  };
}

/** A store in memory: for tests, for a device without a disk, and as the plainest reading of the port. */
export class MemoryStore implements Store {
  readonly data: StoreData;
  readonly #accept: AcceptCommand;

  constructor(data: StoreData, accept: AcceptCommand = () => null) {
    this.data = data;
    this.#accept = accept;
  }

  async read(need: Need): Promise<View> {
    return viewOf(this.data, need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    return this.applySync(need, decide);
  }

  /** The same for callers that cannot wait. */
  applySync<T>(need: Need, decide: (view: View) => Decision<T>): T {
    const { changes, result } = decide(viewOf(this.data, need));
    for (const change of changes) {
      if (change.op === "accept") this.data.applied.set(change.command.id, this.#accept(change.command));
      else applyChange(this.data, change);
    }
    return result;
  }
}

function viewOf(data: StoreData, need: Need): View {
  const records = new Map<string, HeldRecord>();
  const add = (record: HeldRecord | undefined): void => void (record && records.set(recordKey(record), record));
  for (const key of need.records ?? []) add(data.records.get(recordKey(key)));
  if (need.unbased) for (const record of data.records.values()) if (!record.base) add(record);
  if (need.dirty !== undefined)
    for (const sort of ["edit", "salvage"])
      for (const record of [...data.records.values()].filter(({ dirty }) => dirty === sort).slice(0, need.dirty))
        add(record);
  const logs = new Map<string, LogView>();
  const wanted = new Set(need.logs);
  for (const log of data.logs.values())
    if (wanted.has(log.streamId) || (need.unsettled && !isSettled(log))) logs.set(log.streamId, logView(data, log));
  const { streamId = "", from = 1, to = 0 } = need.events ?? {};
  const events = (data.events.get(streamId) ?? []).slice(from - 1, to);
  const waiting = [...(data.waiting.get(streamId) ?? [])];
  const { state, applied } = data;
  const commands = need.commands
    ? pairCommands({ deviceId: state.deviceId, records: commandRecords(data), applied })
    : [];
  return { state, records, logs, events, waiting, commands };
}

function commandRecords(data: StoreData): HeldRecord[] {
  const kinds: readonly number[] = [RECORD_KINDS.command, RECORD_KINDS.outcome];
  return [...data.records.values()].filter((record) => kinds.includes(record.kind));
}

function logView(data: StoreData, log: HeldLog): LogView {
  const at = log.row?.lastSeq ?? 0;
  const mac = at > 0 ? data.events.get(log.streamId)?.[at - 1]?.mac : null;
  return { ...log, atRow: log.row && at === 0 ? CHAIN_START : (mac ?? null) };
}

/** Carries out one write on data in memory. */
export function applyChange(data: StoreData, change: Exclude<Change, { op: "accept" }>): void {
  switch (change.op) {
    case "state":
      data.state = change.state;
      return;
    case "record":
      data.records.set(recordKey(change.record), change.record);
      return;
    case "forget-record":
      data.records.delete(recordKey(change.key));
      return;
    case "log":
      data.logs.set(change.log.streamId, change.log);
      return;
    case "append":
      data.events.set(change.streamId, [...(data.events.get(change.streamId) ?? []), ...change.events]);
      return;
    case "cut":
      return cutEvents(data, change);
    case "wait":
      data.waiting.set(change.streamId, [...(data.waiting.get(change.streamId) ?? []), ...change.events]);
      return;
    case "unwait": {
      const gone = change.ids === "all" ? null : new Set(change.ids);
      const left = (data.waiting.get(change.streamId) ?? []).filter((event) => gone !== null && !gone.has(event.id));
      data.waiting.set(change.streamId, left);
      return;
    }
    case "forget-rows":
      for (const [key, record] of data.records) data.records.set(key, { ...record, base: null });
      for (const [id, log] of data.logs) data.logs.set(id, withoutRow(log, change.writer));
      return;
    case "forked":
      // Who holds more of a session than its events moves it here.
      return;
  }
}

function cutEvents(data: StoreData, { streamId, after, to }: Extract<Change, { op: "cut" }>): void {
  const events = data.events.get(streamId) ?? [];
  const tail = events.slice(after).map(({ id, line }) => ({ id, line }));
  data.events.set(streamId, events.slice(0, after));
  if (to === "waiting") data.waiting.set(streamId, [...tail, ...(data.waiting.get(streamId) ?? [])]);
  if (to === "orphans") data.orphans.push(...tail.map((event) => ({ streamId, ...event })));
}
