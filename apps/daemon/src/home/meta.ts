import { randomUUID } from "node:crypto";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

export type MetaKey = "home_id" | "boot_id" | "schema_version" | "min_safe_version" | "device_id" | "given_up";

/** Sets one fact. A statement, because migrations write it before the rest of the schema exists. */
export const META_UPSERT =
  "insert into meta (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value";

/** Reads one fact about this home; undefined when it was never written. */
export function readMeta(store: OpenDatabase, key: MetaKey): string | undefined {
  return store.prepare("select value from meta where key = ?").pluck().get(key) as string | undefined;
}

/** Writes one fact about this home. */
export function writeMeta(tx: Tx, key: MetaKey, value: string): void {
  tx.store.prepare(META_UPSERT).run({ key, value });
}

/**
 * Names this home, this device and this start of the daemon. Home and device keep their ids for ever; the boot
 * gets a new one, so that work claimed by an earlier start is known as such.
 */
export function beginBoot(
  tx: Tx,
  newId: () => string = randomUUID,
): { homeId: string; deviceId: string; bootId: string } {
  const kept = (key: MetaKey): string => {
    const found = readMeta(tx.store, key);
    if (found !== undefined) return found;
    const made = newId();
    writeMeta(tx, key, made);
    return made;
  };
  const bootId = newId();
  writeMeta(tx, "boot_id", bootId);
  return { homeId: kept("home_id"), deviceId: kept("device_id"), bootId };
}
