import { LOG_KINDS, RECORD_KINDS, type RecordRow, type Segment } from "@codehands/contracts";
import { type HeldLog, type HeldRecord, type NotOpened, recordKey, type Sealing } from "@codehands/sync";
import { chainEvents, fromBase64url, sealRecord, toBase64url } from "@codehands/vault";
import type { DeviceStore } from "../ports/device-store.ts";
import type { Membership } from "../roster/membership.ts";
import { mapSideBySide } from "./map-side-by-side.ts";
import { openRow } from "./open-row.ts";
import { openWholeSegment } from "./open-whole-segment.ts";
import type { FactsCache } from "./record-memory.ts";
import type { RecordNumbers } from "./record-numbers.ts";
import { sealRun } from "./seal-run.ts";

export interface SealingDeps {
  store: DeviceStore;
  member: Membership;
  facts: FactsCache;
  numbers: Pick<RecordNumbers, "next" | "ofDeviceAgain">;
  /** What this device says of itself now: a device record that has to be sealed again speaks of now (V23). */
  deviceBody: (held: HeldRecord) => Promise<unknown>;
  /** Settles whether this database went back, before anything is sealed (V25). */
  beforeSealing: () => Promise<void>;
}

type Chain = Parameters<Sealing["chain"]>[0];
/** WebCrypto works on threads of its own: one row after the other would mostly wait for them. */
const AT_ONCE = 16;
const utf8 = new TextEncoder();

/** The vault, as the sync uses it. It rejects with a VaultError KEY_MISSING while the newest root is not here (V12). */
export function createVaultSealing(deps: SealingDeps): Sealing {
  const { store, member, facts } = deps;
  return {
    sealEvents: (run) => sealRun(member.access(), run),
    chain: (run) => chainUnderNewest(member, run),

    async sealRecord(record: HeldRecord) {
      await deps.beforeSealing();
      const { kind, id, rev, deleted } = record;
      const isOwnDevice = kind === RECORD_KINDS.device && id === member.id;
      const n = await (isOwnDevice ? deps.numbers.ofDeviceAgain() : deps.numbers.next());
      const body = isOwnDevice ? await deps.deviceBody(record) : (JSON.parse(record.body ?? "{}") as unknown);
      const sealed = await sealRecord(member.access(), { kind, id, rev, n, deleted, body });
      return { item: toBase64url(sealed.bytes), mac: toBase64url(sealed.hash.slice(0, 16)) };
    },

    async openRecords(rows: readonly RecordRow[]): Promise<({ ok: true; body: string } | NotOpened)[]> {
      const view = await store.read({ records: rows.map(({ kind, id }) => ({ kind, id })) });
      return mapSideBySide(rows, AT_ONCE, async (row) => {
        const opened = await openRow(row, { access: member.access(), facts, view });
        return opened.ok ? { ok: true, body: JSON.stringify(opened.value.body) } : { ok: false, code: opened.code };
      });
    },

    async openSegment(segment: Segment) {
      const log = await store.logOf(segment.streamId);
      if (!log || !(await isWritersOwn(store, log))) return { ok: false, code: "WRONG_PLACE" };
      const opened = await openWholeSegment(member.access(), segment, log.writer);
      return opened.ok ? { ok: true, events: opened.value } : { ok: false, code: opened.code };
    },
  };
}

/** A session's events are its owner's: whoever signed its record (V20). What the cloud's row says counts for nothing. */
async function isWritersOwn(store: DeviceStore, { streamId, kind, writer }: HeldLog): Promise<boolean> {
  if (kind !== LOG_KINDS.session) return true;
  const key = { kind: RECORD_KINDS.session, id: streamId };
  const record = (await store.read({ records: [key] })).records.get(recordKey(key));
  return !record || record.body === null || record.writer === writer;
}

/** Chain values of events under the newest key epoch (V12, V19). */
export async function chainUnderNewest(
  member: Membership,
  { streamId, prevMac, from, events }: Chain,
): Promise<string[]> {
  const { epoch } = member.roster;
  const lines = events.map(({ line }) => utf8.encode(line));
  const part = { stream: streamId, epoch, before: fromBase64url(prevMac), from, events: lines };
  return (await chainEvents(member.access(), part)).map(toBase64url);
}
