import { Draft, type HeldRecord, isMisnamed, type RecordKey, recordKey } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";
import type { Membership } from "../roster/membership.ts";
import { openRow } from "./open-row.ts";
import type { FactsCache } from "./record-memory.ts";

/** Codes that a newer roster, another root or a newer version may heal (V16). */
const HEALS: ReadonlySet<string> = new Set(["KEY_MISSING", "UNKNOWN_FORMAT", "UNKNOWN_DEVICE", "NOT_ALLOWED"]);

/** V16: opens what was put aside, now that there is more to open it with. */
export async function retryQuarantine(deps: {
  store: DeviceStore;
  member: Membership;
  facts: FactsCache;
}): Promise<void> {
  const { store, member, facts } = deps;
  const aside = (await store.refusedRecords()).filter(({ quarantine }) => HEALS.has(quarantine ?? ""));
  for (const { kind, id, base } of aside) {
    if (!base) continue;
    const view = await store.read({ records: [{ kind, id }] });
    const opened = await openRow(base, { access: member.access(), facts, view });
    if (opened.ok) await putOpened(store, { kind, id }, { base, body: JSON.stringify(opened.value.body) });
  }
  await unblockLogs(store);
}

type Opened = { base: NonNullable<HeldRecord["base"]>; body: string };

function putOpened(store: DeviceStore, key: RecordKey, { base, body }: Opened): Promise<void> {
  return store.apply({ records: [key] }, (view) => {
    const now = view.records.get(recordKey(key));
    // An edit of here stays what it is; so does whatever came meanwhile.
    if (!now?.quarantine || now.dirty !== "" || now.base?.version !== base.version)
      return { changes: [], result: undefined };
    const draft = new Draft(view);
    const { rev, deleted, writer, mac, body: item } = base;
    draft.putRecord(key, { ...now, rev, deleted, writer, mac, item, body, quarantine: null });
    return { changes: draft.changes(), result: undefined };
  });
}

/** Logs that could not be opened are asked for again. */
async function unblockLogs(store: DeviceStore): Promise<void> {
  const { logs } = await store.read({ unsettled: true });
  // A row that names another writer is put right by another row alone (V20).
  const blocked = [...logs.values()].filter((log) => log.blocked && HEALS.has(log.blocked.code) && !isMisnamed(log));
  if (blocked.length === 0) return;
  await store.apply({ logs: blocked.map(({ streamId }) => streamId) }, (view) => {
    const draft = new Draft(view);
    for (const log of draft.logs()) if (log.blocked) draft.putLog({ ...log, blocked: null });
    return { changes: draft.changes(), result: undefined };
  });
}
