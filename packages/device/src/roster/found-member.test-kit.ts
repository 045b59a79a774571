import { randomUUID } from "node:crypto";
import { Draft, editRecord, type HeldRecord, type Draft as SyncDraft } from "@codehands/sync";
import { type EpochRoot, foundVault, type NewEpoch, startEpoch } from "@codehands/vault";
import { makeCode } from "../account/make-code.ts";
import { newAccount } from "../account/new-account.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import { MemoryAccountStore } from "../stores/memory-account-store.ts";
import { MemoryDeviceStore } from "../stores/memory-device-store.ts";
import { MemoryKeyStore } from "../stores/memory-key-store.ts";
import { Membership } from "./membership.ts";

/** A member of a vault of its own, without a cloud. */
export interface FoundMember {
  member: Membership;
  store: MemoryDeviceStore;
  account: MemoryAccountStore;
  keys: MemoryKeyStore;
  options: DeviceOptions;
  /** Begins another key epoch, as an admin does. */
  nextEpoch(): Promise<EpochRoot>;
}

const AT = "2026-01-01T00:00:00.000Z";

/** Founds a vault with one device, on stores in memory. */
export async function foundMember(): Promise<FoundMember> {
  const deviceId = randomUUID();
  const store = new MemoryDeviceStore(deviceId);
  const account = new MemoryAccountStore();
  const keyStore = new MemoryKeyStore();
  const keys = await keyStore.make();
  const { keys: recovery } = await makeCode();
  const { statement, roster, root } = await foundVault({ id: deviceId, keys, platform: "linux", recovery, at: AT });
  const secrets = { keys, roots: [{ epoch: 1, root }] };
  const joined = {
    cloudUrl: "http://127.0.0.1:1",
    email: null,
    vault: roster.vault,
    deviceId,
    statements: [statement],
  };
  await keyStore.save(secrets);
  await account.save(newAccount(joined));
  const options: DeviceOptions = {
    store,
    account,
    keys: keyStore,
    about: { name: "laptop", kind: "daemon", platform: "linux", version: "0.0.1" },
    deviceId,
    boot: randomUUID(),
    clock: () => AT,
  };
  const stored = await account.load();
  if (!stored) throw new Error("it was saved");
  const member = await Membership.of(options, stored, secrets);
  const found = { member, store, account, keys: keyStore, options };
  return { ...found, nextEpoch: () => nextEpoch(member) };
}

async function nextEpoch(member: Membership): Promise<EpochRoot> {
  const { roster, id, keys } = member;
  const next: NewEpoch = await startEpoch({ roster, by: id, keys, at: AT, ops: [] });
  const root = { epoch: next.roster.epoch, root: next.root };
  await member.takeOn({ roster: next.roster, added: [next.statement], roots: [root] });
  return root;
}

/** Changes a store as one transaction of a test. */
export function changeStore(store: MemoryDeviceStore, change: (draft: SyncDraft) => void): Promise<void> {
  return store.apply({ dirty: 1_000 }, (view) => {
    const draft = new Draft(view);
    change(draft);
    return { changes: draft.changes(), result: undefined };
  });
}

/** An edited record that is still to be sent. */
export function editedRecord(member: Membership, kind: number, body: unknown = {}): HeldRecord {
  return editRecord(null, { kind, id: randomUUID(), body: JSON.stringify(body) }, member.id);
}

/** The record as it is after the cloud took it, at this version. */
export function acknowledged(record: HeldRecord, sealed: { item: string; mac: string }, version: number): HeldRecord {
  const { kind, id, rev, deleted, writer } = record;
  const base = {
    ...{ kind, id, rev, deleted, writer, version },
    ...{ mac: sealed.mac, keyId: 1, body: sealed.item, receivedAt: AT },
  };
  return { ...record, ...sealed, base, dirty: "" };
}
