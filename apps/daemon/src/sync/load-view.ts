import {
  CHAIN_START,
  type ChainedEvent,
  type HeldLog,
  type HeldRecord,
  type LogView,
  type Need,
  pairCommands,
  recordKey,
  type View,
} from "@codehands/client/store";
import { RECORD_KINDS } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { lineOf } from "../sessions/event-line.ts";
import { readCells } from "../sessions/event-log.ts";
import { isOwnSession } from "../sessions/session-rows.ts";
import type { CommandDoor } from "./command-door.ts";
import { type LineRange, readLines, readWaiting } from "./line-rows.ts";
import { listUnsettled, readLog } from "./log-rows.ts";
import { listDirty, listOpenCommands, listUnbased, readRecord } from "./record-rows.ts";
import { readSyncState } from "./state-rows.ts";

/** What the reads of the device's store stand on. */
export interface LoadDeps {
  store: OpenDatabase;
  deviceId: string;
  commands: CommandDoor;
}

/** One consistent look at everything that a decision needs. The caller holds a transaction. */
export function loadView({ store, deviceId, commands }: LoadDeps, need: Need): View {
  const state = readSyncState(store, deviceId);
  const records = new Map<string, HeldRecord>();
  const add = (found: readonly HeldRecord[]): void => {
    for (const record of found) records.set(recordKey(record), record);
  };
  for (const key of need.records ?? []) add([readRecord(store, key) ?? []].flat());
  if (need.unbased) add(listUnbased(store));
  if (need.dirty !== undefined)
    for (const sort of ["edit", "salvage"] as const) add(listDirty(store, sort, need.dirty));
  const logs = new Map<string, LogView>();
  const wanted = (need.logs ?? []).map((id) => readLog(store, id)).filter((log) => log !== null);
  for (const log of [...wanted, ...(need.unsettled ? listUnsettled(store) : [])])
    logs.set(log.streamId, viewOf(store, log));
  const { streamId, from, to } = need.events ?? { streamId: "", from: 1, to: 0 };
  return {
    state,
    records,
    logs,
    events: need.events ? readEvents(store, { streamId, from, to }) : [],
    waiting: need.events ? readWaiting(store, streamId) : [],
    commands: need.commands ? commandsFor({ store, deviceId: state.deviceId, commands }) : [],
  };
}

/** The chained events of a stream, wherever they lie: an own session's are its own log. */
export function readEvents(store: OpenDatabase, { streamId, from, to }: LineRange): ChainedEvent[] {
  if (!isOwnSession(store, streamId)) return readLines(store, { streamId, from, to });
  const end = Math.min(to, readLog(store, streamId)?.lastSeq ?? to);
  return readCells(store, { sessionId: streamId, from, to: end }).flatMap((cells) =>
    cells.hash === null
      ? []
      : [{ seq: cells.seq, id: cells.id, mac: cells.hash.toString("base64url"), line: lineOf(cells) }],
  );
}

function viewOf(store: OpenDatabase, log: HeldLog): LogView {
  const at = log.row?.lastSeq;
  if (at === undefined || at === 0) return { ...log, atRow: at === undefined ? null : CHAIN_START };
  return { ...log, atRow: readEvents(store, { streamId: log.streamId, from: at, to: at })[0]?.mac ?? null };
}

/** What has to wait is left out: it is neither claimed nor taken on. */
function commandsFor({ store, deviceId, commands }: LoadDeps): View["commands"] {
  const records = listOpenCommands(store, RECORD_KINDS);
  const applied = commands.applied(store, [...new Set(records.map(({ id }) => id))]);
  return pairCommands({ deviceId, records, applied }).filter(
    (view) => view.applied !== undefined || !isPendingOrClaimed(view.outcome) || commands.ready(store, view.command),
  );
}

function isPendingOrClaimed(outcome: HeldRecord | null): boolean {
  return outcome === null || outcome.body === null || outcome.body.includes('"claimed"');
}
