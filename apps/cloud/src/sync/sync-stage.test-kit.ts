import { randomUUID } from "node:crypto";
import type { DeviceCaller, PullReply, PushAnswer, PushBatch, SyncPort } from "@codehands/api/cloud";
import type { LogRow, PullPage, PushReply, RecordRow } from "@codehands/contracts";
import type { Sql } from "postgres";
import { makeAccount, openTestDatabase } from "../database/test-database.test-kit.ts";
import { createMemoryPokeBus, type MemoryPokeBus } from "../live/poke-bus.ts";
import { createSyncPort } from "./create-sync-port.ts";
import { type LogOptions, makeLog, makeRecord, type RecordOptions } from "./sealed-items.test-kit.ts";

/** One device of one account, with a process that has said hello. */
export interface StageDevice {
  caller: DeviceCaller;
  boot: string;
  epoch: string;
  port: SyncPort;
  /** Pushes logs and records; `more` overrides fields of the request. */
  push(items: PushItems, more?: Partial<PushBatch>): Promise<PushAnswer>;
  pull(
    cursor?: number,
    more?: { since?: number | null; top?: number; limit?: number; epoch?: string },
  ): Promise<PullReply>;
}

export interface PushItems {
  logs?: (Omit<LogOptions, "writer"> & { writer?: string })[];
  records?: (Omit<RecordOptions, "writer"> & { writer?: string })[];
}

export interface SyncStage {
  url: string;
  sql: Sql;
  bus: MemoryPokeBus;
  accountWith(devices: number): Promise<StageDevice[]>;
  drop(): Promise<void>;
}

/** A database of its own and the cloud's side of sync on it. */
export async function openSyncStage(): Promise<SyncStage> {
  const { url, database, drop } = await openTestDatabase();
  const bus = createMemoryPokeBus();
  const port = createSyncPort(database.sql, { bus });
  return {
    url,
    sql: database.sql,
    bus,
    drop,
    async accountWith(count) {
      const { accountId, epoch, devices } = await makeAccount(database.sql, count);
      return devices.map(({ deviceId, boot }) => stageDevice(port, { accountId, deviceId, boot, epoch }));
    },
  };
}

/** A device over any port, for stages with several servers. */
export function stageDevice(
  port: SyncPort,
  ids: { accountId: string; deviceId: string; boot: string; epoch: string },
): StageDevice {
  const caller: DeviceCaller = { kind: "device", accountId: ids.accountId, deviceId: ids.deviceId };
  const { boot, epoch } = ids;
  return {
    caller,
    boot,
    epoch,
    port,
    push: (items, more) => port.push(caller, { ...batchOf({ caller, boot, epoch }, items), ...more }),
    pull: (cursor = 0, more = {}) =>
      port.pull(caller, { epoch, cursor, since: cursor === 0 ? null : cursor, top: cursor, limit: 100, ...more }),
  };
}

/** A push of one device. */
export function batchOf(from: { caller: DeviceCaller; boot: string; epoch: string }, items: PushItems): PushBatch {
  const writer = from.caller.deviceId;
  const logs = (items.logs ?? []).map((options) => makeLog({ writer, ...options }));
  return {
    epoch: from.epoch,
    boot: from.boot,
    cursor: 0,
    since: null,
    logs: logs.map(({ log }) => log),
    records: (items.records ?? []).map((options) => makeRecord({ writer, ...options })),
    blob: Buffer.concat(logs.map(({ blob }) => blob)).toString("base64url"),
  };
}

/** The answer to a push that was not refused as a whole. */
export function stored(answer: PushAnswer): PushReply {
  if (!("logs" in answer)) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** A page, not a reset. */
export function pageOf(reply: PullReply): PullPage {
  if (!("rows" in reply)) throw new Error(`reset: ${JSON.stringify(reply)}`);
  return reply;
}

/** Everything that an account's feed shows, page by page. */
export async function pullAll(device: StageDevice, limit = 100): Promise<{ rows: PullPage["rows"]; page: PullPage }> {
  const rows: PullPage["rows"] = [];
  for (let cursor = 0; ; ) {
    const page = pageOf(await device.pull(cursor, { limit }));
    rows.push(...page.rows);
    if (!page.more) return { rows, page };
    cursor = page.next;
  }
}

export const newId = (): string => randomUUID();
export const codes = (answer: PushAnswer): string[] =>
  [...stored(answer).logs, ...stored(answer).records].map((each) => each.code);
export const logRow = (answer: PushAnswer, index = 0): LogRow | null => stored(answer).logs[index]?.row ?? null;
export const recordRow = (answer: PushAnswer, index = 0): RecordRow | null =>
  stored(answer).records[index]?.row ?? null;
