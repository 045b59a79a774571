import type { DiffView } from "@codehands/api";
import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { type RecordKey, recordKey } from "@codehands/sync";
import { DeviceError } from "../device-error.ts";
import type { DeviceStore } from "../ports/device-store.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { openLog } from "../replica/follow-log.ts";
import type { SignedSession } from "../replica/read-session.ts";
import { waitForCommit } from "../replica/wait-for-commit.ts";
import { type ChangeRecord, readChangeRecord } from "./change-record.ts";
import { joinChange } from "./join-change.ts";

/** How long the parts of a change are waited for. */
const PATIENCE_MS = 10_000;

/**
 * The change of another device's session as its owner sealed it; null when there is none. Reading fetches it, and waits
 * some seconds. Throws `not_found` with a sentence when it has not arrived or is not what its owner named.
 */
export async function readChange(deps: ReplicaDeps, session: SignedSession): Promise<DiffView | null> {
  const { store } = deps;
  const { writer } = session;
  const key = { kind: RECORD_KINDS.change, id: session.view.id };
  let change = await changeOf(store, key, writer);
  await waitForCommit<true>({
    store,
    concerns: ({ logs, records }) =>
      records.includes(recordKey(key)) || (change !== null && logs.includes(change.streamId)),
    look: async () => {
      // Its owner may write a newer change meanwhile, and drop this one.
      change = await changeOf(store, key, writer);
      if (change === null) return true;
      const { streamId, chunks } = change;
      if (await openLog(store, { streamId, kind: LOG_KINDS.change, writer })) deps.changed();
      return (await store.logOf(streamId))?.lastSeq === chunks || null;
    },
    ms: PATIENCE_MS,
  });
  if (change === null) return null;
  const { streamId, chunks } = change;
  const log = await store.logOf(streamId);
  // Whoever else wrote it: a change is its session's owner's.
  const events = log?.writer === writer ? await store.eventsOf({ streamId, after: 0, limit: chunks }) : [];
  const joined = await joinChange(
    change,
    events.map(({ line }) => line),
  );
  if (!joined.ok) throw new DeviceError("not_found", joined.reason);
  return joined.diff;
}

/** The change record of a session, when the session's own writer wrote it. */
async function changeOf(store: DeviceStore, key: RecordKey, writer: string): Promise<ChangeRecord | null> {
  const record = (await store.read({ records: [key] })).records.get(recordKey(key));
  return record && !record.deleted && record.writer === writer ? readChangeRecord(record.body) : null;
}
