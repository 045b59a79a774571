import { RECORD_KINDS } from "@codehands/contracts";
import { type HeldRecord, isSharedKind, recordKey, type SyncState } from "@codehands/sync";
import { checkViews, type HeldView, markOf, type RecordMark, readDeviceView, type Suspicion } from "@codehands/vault";
import type { DeviceStore } from "../ports/device-store.ts";
import type { Membership } from "../roster/membership.ts";
import type { FactsCache } from "../sealing/record-memory.ts";

export interface ViewDeps {
  store: DeviceStore;
  member: Membership;
  facts: FactsCache;
}

export interface Views {
  found: Suspicion[];
  /** Devices that wrote something since their newest device record: whether all of it came cannot be told yet. */
  unsure: ReadonlySet<string>;
}

/** All records that are held, and where the sync stood before they were read. */
export interface Holding {
  state: SyncState;
  records: readonly HeldRecord[];
}

export async function readHolding(store: DeviceStore): Promise<Holding> {
  const { state } = await store.read({});
  return { state, records: await store.allRecords() };
}

/** V24: what the signed records of all devices say against each other and against what is held here. */
export async function findSuspicions({ store, member, facts }: ViewDeps, holding?: Holding): Promise<Views> {
  const held = (holding ?? (await readHolding(store))).records;
  const views = new Map<string, HeldView>();
  const records = [];
  for (const record of held) {
    const known = await facts.ofHeld(record);
    if (!known) continue;
    const { kind, id, writer, n, deleted } = known.header;
    records.push({ kind, id, writer, n, hash: known.hash, deleted });
    const view = kind === RECORD_KINDS.device && id === writer ? await viewOf(record) : null;
    if (view) views.set(id, { n, hash: known.hash, view });
  }
  const counted = records.filter(({ kind }) => kind !== RECORD_KINDS.device && !isSharedKind(kind));
  const unsure = new Set(counted.flatMap(({ writer, n }) => (n > (views.get(writer)?.n ?? n) ? [writer] : [])));
  const { inherited } = member.account;
  return { found: await checkViews({ roster: member.roster, views, records, inherited }), unsure };
}

/** The newest device record that is held of every device but `me`, as they are named to others (V23). */
export async function seenMarks(
  held: readonly HeldRecord[],
  facts: FactsCache,
  me: string,
): Promise<Record<string, RecordMark>> {
  const seen: Record<string, RecordMark> = {};
  for (const record of held) {
    if (record.kind !== RECORD_KINDS.device || record.id === me || record.body === null) continue;
    const known = await facts.ofHeld(record);
    if (known && known.header.writer === record.id) seen[record.id] = markOf({ n: known.header.n, hash: known.hash });
  }
  return seen;
}

async function viewOf({ body }: HeldRecord): Promise<HeldView["view"] | null> {
  const view = await readDeviceView(parse(body));
  return view.ok ? view.value : null;
}

function parse(body: string | null): unknown {
  try {
    return JSON.parse(body ?? "null");
  } catch {
    return null;
  }
}

/** What a person is asked to look at, by one name. */
export const suspicionName = ({ code, what, shownBy }: Suspicion): string => `${code}:${what}:${shownBy}`;

/** This device's own record. */
export const deviceKey = (id: string): { kind: number; id: string } => ({ kind: RECORD_KINDS.device, id });
export const deviceRecordName = (id: string): string => recordKey(deviceKey(id));
