import { RECORD_KINDS } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import { readRecord } from "./record-rows.ts";

/** How many records and logs of the account cannot be opened here (V16). */
export function countQuarantined(store: OpenDatabase): number {
  return store
    .prepare(
      `select (select count(*) from sync_records where quarantine is not null)
            + (select count(*) from sync_logs where blocked is not null)`,
    )
    .pluck()
    .get() as number;
}

/** What another device calls itself in its signed record; the beginning of its id without one. */
export function senderName(store: OpenDatabase, deviceId: string): string {
  return deviceNameOf(store, deviceId) ?? `device ${deviceId.slice(0, 8)}`;
}

/** The name that a device bears in the account; null when its record tells none. */
export function deviceNameOf(store: OpenDatabase, deviceId: string): string | null {
  const json = readJson(readRecord(store, { kind: RECORD_KINDS.device, id: deviceId })?.body ?? null);
  const name = json.ok && isRecord(json.value) ? json.value.name : null;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 64) : null;
}

/** How many events are kept that the cloud does not hold any more (S17). */
export function countOrphans(store: OpenDatabase): number {
  return store.prepare("select count(*) from orphans").pluck().get() as number;
}
