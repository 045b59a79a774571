import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { appendOwn, Draft, editRecord, newLog, type SyncStatus } from "@codehands/sync";
import { expect, test } from "vitest";
import { MemoryDeviceStore } from "../stores/memory-device-store.ts";
import { readSyncView } from "./read-sync-view.ts";

const ME = "11111111-0000-4000-8000-000000000001";
const SESSION = "3f0f0001-0000-4000-8000-000000000001";

/** What the loop last said of itself, as a request went out that nobody answers. */
const ASKING: SyncStatus = {
  state: "working",
  reason: null,
  lastRoundTripAt: null,
  pending: { events: 0, records: 0 },
  failures: 0,
};

test("what waits is counted as it is now, also while a request has had no answer", async () => {
  const store = new MemoryDeviceStore(ME);
  const seen = { store, account: { paused: false, stopped: null }, status: ASKING, head: 0 };
  const pending = async () =>
    (await readSyncView({ ...seen, suspicions: [], isUnknown: false, uncollected: () => ({ events: 2, records: 0 }) }))
      .pendingPush;
  expect(await pending()).toEqual({ events: 2, records: 0 });

  const key = { kind: RECORD_KINDS.session, id: SESSION };
  await store.apply({ logs: [SESSION], records: [key] }, (view) => {
    const draft = new Draft(view);
    const log = newLog({ streamId: SESSION, kind: LOG_KINDS.session, writer: ME });
    const chained = [1, 2, 3].map((seq) => ({ seq, id: `e${seq}`, mac: `m${seq}`, line: "{}" }));
    appendOwn(draft, log, { chained });
    draft.putRecord(key, editRecord(draft.record(key), { ...key, body: "{}" }, ME));
    return { changes: draft.changes(), result: undefined };
  });
  expect(await pending()).toEqual({ events: 5, records: 1 });
});
