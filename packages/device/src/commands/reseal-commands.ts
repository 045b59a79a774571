import { RECORD_KINDS } from "@codehands/contracts";
import { COMMAND_LIFE_MS, Draft, editRecord, type HeldRecord, recordKey } from "@codehands/sync";
import { fromBase64url, inspectItem } from "@codehands/vault";
import type { DeviceStore } from "../ports/device-store.ts";
import { readObject, textOf } from "../replica/read-json.ts";

export interface Resealing {
  store: DeviceStore;
  /** This device. */
  me: string;
  /** The newest key epoch of the roster. */
  epoch: number;
  /** ISO time of now. */
  now: string;
}

/**
 * V27: commands of this device that were sealed under an older key epoch and have no outcome are sealed again, as the
 * next rev: their owners wait for that. One that is a day old is left to expire. Returns how many there were; when
 * there were any, the sync is to be woken.
 */
export async function resealCommands({ store, me, epoch, now }: Resealing): Promise<number> {
  const outcomes = new Set((await store.recordsOf(RECORD_KINDS.outcome)).map(({ id }) => id));
  const own = (await store.recordsOf(RECORD_KINDS.command)).filter(
    (record) => record.writer === me && !record.deleted && !outcomes.has(record.id) && isYoung(record, now),
  );
  let count = 0;
  for (const record of own) if ((await epochOf(record)) < epoch && (await sealAgain(store, record, me))) count += 1;
  return count;
}

/** The key epoch of a record's sealed bytes; what is not sealed yet will be under the newest. */
async function epochOf({ item }: HeldRecord): Promise<number> {
  if (item === "") return Number.POSITIVE_INFINITY;
  const facts = await inspectItem(fromBase64url(item));
  return facts.ok ? facts.value.header.epoch : Number.POSITIVE_INFINITY;
}

/** In one transaction with the look for an outcome; false when there is one now, or the command is another. */
function sealAgain(store: DeviceStore, { kind, id, mac }: HeldRecord, me: string): Promise<boolean> {
  const key = { kind, id };
  const outcome = { kind: RECORD_KINDS.outcome, id };
  return store.apply({ records: [key, outcome] }, (view) => {
    const held = view.records.get(recordKey(key));
    if (!held || held.mac !== mac || held.deleted || held.body === null || view.records.has(recordKey(outcome)))
      return { changes: [], result: false };
    const draft = new Draft(view);
    draft.putRecord(key, editRecord(held, { ...key, body: held.body }, me));
    return { changes: draft.changes(), result: true };
  });
}

function isYoung({ body }: HeldRecord, now: string): boolean {
  const at = textOf(readObject(body), "at");
  return at !== null && Date.parse(now) - Date.parse(at) < COMMAND_LIFE_MS;
}
