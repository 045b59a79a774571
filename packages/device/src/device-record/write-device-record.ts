import { RECORD_KINDS } from "@codehands/contracts";
import { Draft, type HeldRecord, mayWrite, type View } from "@codehands/sync";
import { sealRecord, toBase64url } from "@codehands/vault";
import { type BodyDeps, type DeviceBody, nameOf, newDeviceBody } from "./device-body.ts";
import { deviceKey, deviceRecordName, type Holding, readHolding } from "./find-suspicions.ts";

export interface DeviceRecordDeps extends BodyDeps {
  /** A number above those of all that the record's digest counts (V24). */
  deviceN: () => Promise<number>;
}

/** `waits`: something else is to be sent first, so that the digest speaks of what the cloud has. */
export type Written = "written" | "fresh" | "waits";

/**
 * V23: writes this device's signed record, sealed at once: its number is above those of all that its digest counts, and
 * below those of all that is written later. `always` writes it when nothing in it changed.
 */
export async function writeDeviceRecord(
  deps: DeviceRecordDeps,
  { name, always, holding }: { name?: string; always: boolean; holding?: Holding },
): Promise<Written> {
  const { store, member } = deps;
  const { state, records } = holding ?? (await readHolding(store));
  if (records.some((record) => waitsToBeSent(record, member.id))) return "waits";
  const key = deviceKey(member.id);
  const held = records.find((record) => record.kind === key.kind && record.id === key.id) ?? null;
  const body = await newDeviceBody(deps, records, name ?? nameOf(held));
  if (!always && held?.body && sameBody(held.body, body)) return "fresh";
  const rev = (held?.rev ?? 0) + 1;
  const sealed = await sealRecord(member.access(), { ...key, rev, n: await deps.deviceN(), body });
  const item = toBase64url(sealed.bytes);
  const mac = toBase64url(sealed.hash.slice(0, 16));
  return store.apply({ records: [key], dirty: 1_000 }, (view) => {
    if (view.state.top !== state.top || view.state.gen !== state.gen) return { changes: [], result: "waits" };
    if (changedSince(view, held, member.id)) return { changes: [], result: "waits" };
    const draft = new Draft(view);
    const now = draft.record(key);
    const content = { ...key, rev, body: JSON.stringify(body), deleted: false, writer: member.id, mac, item };
    const sending = { base: now?.base ?? null, dirty: "edit" as const, blocked: null, quarantine: null };
    draft.putRecord(key, { ...content, ...sending });
    return { changes: draft.changes(), result: "written" };
  });
}

/** Something of this device's own that the cloud is still to get. */
function waitsToBeSent(record: HeldRecord, me: string): boolean {
  if (record.kind === RECORD_KINDS.device && record.id === me) return false;
  return record.dirty !== "" && record.blocked === null && mayWrite(record, me);
}

function changedSince(view: View, held: HeldRecord | null, me: string): boolean {
  const now = view.records.get(deviceRecordName(me));
  return now?.rev !== held?.rev || [...view.records.values()].some((record) => waitsToBeSent(record, me));
}

/** What others have written meanwhile is no reason to write: two devices would answer each other for ever. */
function sameBody(text: string, body: DeviceBody): boolean {
  const held = JSON.parse(text) as Partial<DeviceBody>;
  return JSON.stringify({ ...held, seen: null }) === JSON.stringify({ ...body, seen: null });
}
