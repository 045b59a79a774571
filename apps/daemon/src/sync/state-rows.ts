import { newSyncState, type SyncState } from "@codehands/client/store";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";

/** What the sync remembers; a device that never met the cloud when nothing is stored. Throws `database_damaged`. */
export function readSyncState(store: OpenDatabase, deviceId: string): SyncState {
  const body = store.prepare("select body from sync_state").pluck().get() as string | undefined;
  if (body === undefined) return newSyncState(deviceId);
  const json = readJson(body);
  // Guessing here could send what is not ours: better no sync at all.
  if (!json.ok || !isRecord(json.value))
    throw new DaemonError("database_damaged", "The memory of the sync cannot be read. Nothing was sent or changed.");
  return { ...newSyncState(deviceId), ...json.value };
}

/** Stores what the sync remembers. */
export function putSyncState(tx: Tx, state: SyncState): void {
  tx.store
    // Most decisions leave it as it is, and then nothing has to reach the disk.
    .prepare(
      `insert into sync_state (one, body) values (1, ?)
       on conflict (one) do update set body = excluded.body where body <> excluded.body`,
    )
    .run(JSON.stringify(state));
}

/** Forgets it: the account was signed out. */
export function forgetSyncState(tx: Tx): void {
  tx.store.prepare("delete from sync_state").run();
}
