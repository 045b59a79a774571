import { type CloudPort, type HeldRecord, SyncClient, type SyncStatus } from "@codehands/sync";
import { canSeal, explainCode } from "@codehands/vault";
import { askForCompaction, type CompactionDeps } from "../compaction/ask-for-compaction.ts";
import { noteSegments } from "../compaction/note-segments.ts";
import { SegmentLedger } from "../compaction/segment-ledger.ts";
import { DeviceError } from "../device-error.ts";
import { nameOf, newDeviceBody } from "../device-record/device-body.ts";
import { ReturnCheck } from "../device-record/return-check.ts";
import { type DeviceCalls, openDeviceCalls } from "../keys/device-calls.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import type { Membership } from "../roster/membership.ts";
import { FactsCache } from "../sealing/record-memory.ts";
import { openRecordNumbers } from "../sealing/record-numbers.ts";
import { createVaultSealing } from "../sealing/vault-sealing.ts";
import { createCloudPort } from "./cloud-port.ts";
import { sleep } from "./sleep.ts";

export interface SyncHooks {
  signal: AbortSignal;
  pullRoster: () => Promise<void>;
  onPage: (page: { head: number; fromOthers: boolean }) => void;
  onStatus: (status: SyncStatus) => void;
  /** What the last request ended with; null when it was answered. */
  onAnswer: (error: unknown) => void;
  onWentBack: () => void;
  /** Told of faults after which everything goes on. */
  onFault: (what: string, error: unknown) => void;
}

export interface OpenSync {
  calls: DeviceCalls;
  facts: FactsCache;
  /** The number for a new device record. */
  deviceN: () => Promise<number>;
  returned: ReturnCheck;
  client: SyncClient;
  /** Looks for what may be put together in the cloud, when nothing else is to be exchanged (S20). It never fails. */
  compact: () => Promise<void>;
}

/** Puts the sync of a member together: its calls, its sealing, its cloud, its loop. */
export function openSync(options: DeviceOptions, member: Membership, hooks: SyncHooks): OpenSync {
  const { store, boot } = options;
  const calls = callsOf(options, member, hooks.signal);
  const facts = new FactsCache();
  const numbers = openRecordNumbers((count) => member.takeN(count));
  const returned = new ReturnCheck({
    store,
    member,
    facts,
    ownN: async () => (await options.account.load())?.lastN ?? 0,
    onWentBack() {
      numbers.drop();
      hooks.onWentBack();
    },
  });
  async function beforeSealing(): Promise<void> {
    await returned.settled();
    if (canSeal(member.access())) return;
    // An admin may have handed the newest key out meanwhile.
    await hooks.pullRoster();
    if (!canSeal(member.access())) throw new DeviceError("no_keys", explainCode("KEY_MISSING"));
  }
  const deviceBody = async (held: HeldRecord): Promise<unknown> =>
    newDeviceBody({ store, member, facts, about: options.about }, await store.allRecords(), nameOf(held));
  const sealing = createVaultSealing({ store, member, facts, numbers, deviceBody, beforeSealing });
  const ledger = new SegmentLedger();
  const port: CloudPort = createCloudPort({
    calls,
    me: member.id,
    pullRoster: hooks.pullRoster,
    rosterSeq: () => member.roster.seq,
    onHello: () => returned.begin(),
    onPage: hooks.onPage,
    onAnswer: hooks.onAnswer,
    onOwnSegments: (streamId) => returned.fetching(streamId),
    onStaleEpoch: () => client.rechain(),
    sleep: (ms) => sleep(ms, hooks.signal),
    now: () => performance.now(),
  });
  const cloud = noteSegments(port, ledger);
  const client: SyncClient = new SyncClient({
    cloud,
    store,
    sealing,
    boot,
    clock: () => Date.parse(options.clock()),
    random: Math.random,
    sleep,
    onStatus: hooks.onStatus,
    onFault: hooks.onFault,
  });
  const deviceN = async (): Promise<number> => {
    await returned.settled();
    return numbers.ofDevice();
  };
  const compaction: CompactionDeps = {
    store,
    ledger,
    me: () => member.id,
    segments: (request) => calls.call((each) => each.sync.segments.query(request)),
    compact: (range) => client.compact(range),
  };
  async function compact(): Promise<void> {
    if (hooks.signal.aborted) return;
    try {
      if ((await client.next()).do === "wait") await askForCompaction(compaction);
    } catch (error) {
      hooks.onFault("What could be put together in the cloud could not be found out. It stays as it is.", error);
    }
  }
  return { calls, facts, deviceN, returned, client, compact };
}

function callsOf({ fetch: ask }: DeviceOptions, member: Membership, signal: AbortSignal): DeviceCalls {
  const { account, keys } = member;
  const { cloudUrl: url, vault, deviceId } = account;
  const wish = () => ({ url, vault, deviceId, keys, statements: member.account.statements });
  return openDeviceCalls({ url, wish, signal, fetch: ask });
}
