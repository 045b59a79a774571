import { RECORD_KINDS } from "@codehands/contracts";
import { Draft, editRecord, type HeldRecord, recordKey } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";

/** The record of a command and of what its target wrote about it. */
export interface CommandPair {
  command: HeldRecord | null;
  outcome: HeldRecord | null;
}

const keysOf = (id: string) => ({
  command: { kind: RECORD_KINDS.command, id },
  outcome: { kind: RECORD_KINDS.outcome, id },
});

/** The keys by which a commit names a command and its outcome. */
export const namesOf = (id: string): string[] => Object.values(keysOf(id)).map(recordKey);

/** Both records of a command. */
export async function readPair(store: DeviceStore, id: string): Promise<CommandPair> {
  const keys = keysOf(id);
  const { records } = await store.read({ records: [keys.command, keys.outcome] });
  return {
    command: records.get(recordKey(keys.command)) ?? null,
    outcome: records.get(recordKey(keys.outcome)) ?? null,
  };
}

/** Stores a command to be sent, once: false when its id is taken, then nothing is written. */
export function putCommand(
  store: DeviceStore,
  { id, body, me }: { id: string; body: string; me: string },
): Promise<boolean> {
  const { command: key } = keysOf(id);
  return store.apply({ records: [key] }, (view) => {
    const draft = new Draft(view);
    if (draft.record(key) !== null) return { changes: [], result: false };
    draft.putRecord(key, editRecord(null, { ...key, body }, me));
    return { changes: draft.changes(), result: true };
  });
}

/** Takes a command back (V26) unless its target has begun, in one transaction; false: nothing was written. */
export function deleteCommand(store: DeviceStore, id: string, me: string): Promise<boolean> {
  const { command: key, outcome } = keysOf(id);
  return store.apply({ records: [key, outcome] }, (view) => {
    const draft = new Draft(view);
    const held = draft.record(key);
    const begun = draft.record(outcome) !== null;
    if (held === null || held.deleted || held.writer !== me || begun) return { changes: [], result: false };
    draft.putRecord(key, editRecord(held, { ...key, body: "{}", deleted: true }, me));
    return { changes: draft.changes(), result: true };
  });
}
