import type { SyncView } from "@codehands/api";
import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import {
  countPending,
  type HeldRecord,
  isMisnamed,
  type LogView,
  type SyncState,
  type SyncStatus,
} from "@codehands/sync";
import { explainCode, type Suspicion, VAULT_CODES } from "@codehands/vault";
import type { StoredAccount } from "../ports/account-store.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import type { DeviceStore } from "../ports/device-store.ts";
import { explainStop } from "../roster/stop-code.ts";

export interface ViewedSync {
  store: DeviceStore;
  account: Pick<StoredAccount, "paused" | "stopped">;
  status: SyncStatus;
  head: number;
  suspicions: readonly Suspicion[];
  /** The cloud does not know this device. */
  isUnknown: boolean;
  uncollected?: DeviceOptions["uncollected"];
}

/** So many records are read to be counted; no person tells more of them apart. */
const MOST_RECORDS = 1_000;

/** The sync as a person is told of it. */
export async function readSyncView({ store, account, status, ...seen }: ViewedSync): Promise<SyncView> {
  const view = await store.read({ unsettled: true, dirty: MOST_RECORDS });
  const { state, logs } = view;
  const ask = askOf(state, seen.isUnknown);
  const behind = seen.uncollected?.() ?? { events: 0, records: 0 };
  // Counted as it is now: the loop counts when a request goes out, and one that nobody answers may last.
  const { events, records } = countPending(view);
  const stopped = account.stopped !== null || ask === "revoked" || ask === "copy";
  return {
    state: stopped ? "stopped" : account.paused ? "paused" : status.state,
    cursor: state.cursor,
    head: Math.max(seen.head, state.cursor),
    pendingPush: { events: events + behind.events, records: records + behind.records },
    lastRoundTripAt: status.lastRoundTripAt === null ? null : new Date(status.lastRoundTripAt).toISOString(),
    refused: [...(await store.refusedRecords()).flatMap(refusedRecord), ...[...logs.values()].flatMap(refusedLog)],
    suspicions: seen.suspicions.map(({ code, what }) => ({ code, what, text: explainCode(code) })),
    error: account.stopped === null ? (ask ? ASKS[ask] : status.reason) : explainStop(account.stopped),
    ask,
  };
}

/** What a person is asked to do, if anything. */
export const askOf = ({ revoked, copy }: SyncState, isUnknown: boolean): SyncView["ask"] =>
  revoked ? "revoked" : copy ? "copy" : isUnknown ? "pair_again" : null;

/** The question in words. */
export const ASKS: Readonly<Record<NonNullable<SyncView["ask"]>, string>> = {
  revoked: "This device was removed from the account. What it holds is kept; sign out here, then pair it again.",
  copy: "Another copy of this device exchanges with the cloud: this home was copied, or put back from a backup. Everything here is kept, and nothing is sent or fetched until you say which one this is. `codehands sync identity new`: this copy becomes a device of its own. `codehands sync identity this`: this is the device, and the other copy is stopped.",
  pair_again: "The cloud does not know this device. What it holds is kept; pair it again.",
};

const CLOUD_CODES: Readonly<Record<string, string>> = {
  TOO_LARGE: "It is larger than the cloud takes. It stays on this device.",
  UNKNOWN_KIND: "The cloud is older than this program and does not know this kind. It stays on this device.",
};

function refusedRecord({ kind, id, blocked, quarantine }: HeldRecord): SyncView["refused"] {
  const code = blocked ?? quarantine;
  if (code === null) return [];
  const name = Object.entries(RECORD_KINDS).find(([, number]) => number === kind)?.[0] ?? `kind ${kind}`;
  return [{ what: `${name} ${id}`, code, reason: (blocked !== null && CLOUD_CODES[code]) || words(code) }];
}

/** V20: a log has one writer for ever. */
const MISNAMED =
  "The cloud says that another device writes these events. It was not believed: what is held here stays as it is, and " +
  "nothing of it is exchanged until the cloud says otherwise. `codehands sync reset` asks it for everything again.";

function refusedLog(log: LogView): SyncView["refused"] {
  const { kind, streamId, blocked } = log;
  if (!blocked) return [];
  const what = `${kind === LOG_KINDS.change ? "change" : "events of session"} ${streamId}`;
  if (isMisnamed(log)) return [{ what, code: blocked.code, reason: MISNAMED }];
  return [{ what, code: blocked.code, reason: words(blocked.code) }];
}

function words(code: string): string {
  const known = VAULT_CODES.find((each) => each === code);
  return known ? explainCode(known) : `The cloud refused it (${code}).`;
}
