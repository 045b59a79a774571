import { RECORD_KINDS } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import { readDeviceView, sealRecord, toBase64url } from "@codehands/vault";
import { expect, test, vi } from "vitest";
import {
  acknowledged,
  changeStore,
  editedRecord,
  type FoundMember,
  foundMember,
} from "../roster/found-member.test-kit.ts";
import { FactsCache } from "../sealing/record-memory.ts";
import { openRecordNumbers } from "../sealing/record-numbers.ts";
import { deviceRecordName, findSuspicions } from "./find-suspicions.ts";
import { RecordKeeper } from "./record-keeper.ts";
import { ReturnCheck } from "./return-check.ts";
import { writeDeviceRecord } from "./write-device-record.ts";

function partsOf({ member, store, options }: FoundMember) {
  const numbers = openRecordNumbers((count) => member.takeN(count));
  const deps = { store, member, facts: new FactsCache(), about: options.about, deviceN: () => numbers.ofDevice() };
  const own = (): HeldRecord | undefined => store.data.records.get(deviceRecordName(member.id));
  /** A record of this device that the cloud has. */
  async function put(kind: number): Promise<HeldRecord> {
    const record = editedRecord(member, kind, { title: "Fix the date bug" });
    const n = await numbers.next();
    const sealed = await sealRecord(member.access(), { kind, id: record.id, rev: 1, n, body: {} });
    const item = { item: toBase64url(sealed.bytes), mac: toBase64url(sealed.hash.slice(0, 16)) };
    const held = acknowledged(record, item, n);
    await changeStore(store, (draft) => draft.putRecord(held, held));
    return held;
  }
  /** The device record arrives in the cloud. */
  async function acknowledge(): Promise<void> {
    const record = own();
    if (!record) throw new Error("nothing was written");
    await changeStore(store, (draft) => draft.putRecord(record, acknowledged(record, record, draft.state.top + 1)));
  }
  return { deps, numbers, own, put, acknowledge };
}

test("V23 a device record says who, which roster and what is its own, and waits for what is still to be sent", async () => {
  const found = await foundMember();
  const { deps, own, put, acknowledge } = partsOf(found);
  const unsent = editedRecord(found.member, RECORD_KINDS.session);
  await changeStore(found.store, (draft) => draft.putRecord(unsent, unsent));
  expect(await writeDeviceRecord(deps, { always: true })).toBe("waits");
  await changeStore(found.store, (draft) => draft.putRecord(unsent, { ...unsent, blocked: "TOO_LARGE" }));
  await put(RECORD_KINDS.session);
  expect(await writeDeviceRecord(deps, { always: true })).toBe("written");
  expect(own()).toMatchObject({ dirty: "edit", rev: 1, mac: expect.stringMatching(/^.{22}$/) });
  const body: unknown = JSON.parse(own()?.body ?? "");
  expect(body).toMatchObject({ name: "laptop", kind: "daemon", platform: "linux", agents: [] });
  const view = await readDeviceView(body);
  expect(view).toMatchObject({
    ok: true,
    value: { roster: { seq: 0 }, incarnation: found.member.account.incarnation },
  });
  await acknowledge();
  // V24: what it says agrees with what is held.
  expect((await findSuspicions(deps)).found).toEqual([]);
  expect(await writeDeviceRecord(deps, { always: false })).toBe("fresh");
  await put(RECORD_KINDS.session);
  expect((await findSuspicions(deps)).unsure).toEqual(new Set([found.member.id]));
  expect(await writeDeviceRecord(deps, { always: false })).toBe("written");
});

test("V24 a record of its own that is gone shows, one that others may write does not count", async () => {
  const found = await foundMember();
  const { deps, put, acknowledge } = partsOf(found);
  const [mine, shared] = [await put(RECORD_KINDS.session), await put(RECORD_KINDS.task)];
  await writeDeviceRecord(deps, { always: true });
  await acknowledge();
  await changeStore(found.store, (draft) => draft.write({ op: "unwait", streamId: mine.id, ids: "all" }));
  found.store.data.records.delete(`${shared.kind}:${shared.id}`);
  expect((await findSuspicions(deps)).found).toEqual([]);
  found.store.data.records.delete(`${mine.kind}:${mine.id}`);
  const { id } = found.member;
  expect((await findSuspicions(deps)).found).toEqual([{ code: "WITHHELD", what: id, shownBy: id }]);
});

test("a name that a person gave stays, whatever the program calls itself later", async () => {
  const found = await foundMember();
  const { deps, own, acknowledge } = partsOf(found);
  await writeDeviceRecord(deps, { always: true, name: "kitchen" });
  await acknowledge();
  await writeDeviceRecord({ ...deps, about: { ...deps.about, name: "host-7", version: "2.0.0" } }, { always: false });
  expect(JSON.parse(own()?.body ?? "")).toMatchObject({ name: "kitchen", version: "2.0.0" });
});

test("V25 a database that went back gets a new incarnation and counts on above what the cloud has", async () => {
  const found = await foundMember();
  const { deps, put } = partsOf(found);
  const { member, account } = found;
  await put(RECORD_KINDS.session);
  let times = 0;
  const ownN = async () => (await account.load())?.lastN ?? 0;
  const check = new ReturnCheck({ ...deps, ownN, onWentBack: () => (times += 1) });
  const before = member.account.incarnation;
  await check.settled();
  expect(times).toBe(0);
  // The cloud shows a record of this device with a number that this database never used.
  await member.change({ lastN: 0 });
  const seen = await put(RECORD_KINDS.session);
  await member.change({ lastN: 1 });
  check.begin();
  await check.settled();
  expect([times, member.account.incarnation === before]).toEqual([1, false]);
  const facts = await deps.facts.ofBase(seen.base);
  expect(await ownN()).toBeGreaterThanOrEqual(facts?.header.n ?? Number.POSITIVE_INFINITY);
  // Once is enough; a person's word that this copy is the device is another time.
  check.begin();
  await check.settled();
  expect(times).toBe(1);
  check.adopted();
  await check.settled();
  expect(times).toBe(2);
});

function keeperOf(deps: ReturnType<typeof partsOf>["deps"], changed: () => void): RecordKeeper {
  return new RecordKeeper({
    ...deps,
    changed,
    startOver: async () => undefined,
    sleep: async () => undefined,
    now: () => 0,
    hasEnded: () => false,
    onFault: (what) => expect.unreachable(what),
  });
}

test("V27 while what came is still being compared nothing is settled, so that no command is obeyed", async () => {
  const found = await foundMember();
  const { deps } = partsOf(found);
  const settledWhile: boolean[] = [];
  const { store } = found;
  vi.spyOn(store, "allRecords").mockImplementation(async () => {
    settledWhile.push(keeper.isSettled);
    return [...store.data.records.values()];
  });
  const keeper = keeperOf(deps, () => settledWhile.push(keeper.isSettled));
  await keeper.atRest();
  // Looked at once, for the look and the record; told when it was over; told of the record.
  expect(settledWhile).toEqual([false, true, true]);
  expect(keeper.isSettled).toBe(true);
});

test("V27 a look that fails settles nothing: the next rest looks again", async () => {
  const found = await foundMember();
  const keeper = keeperOf(partsOf(found).deps, () => undefined);
  vi.spyOn(found.store, "allRecords").mockRejectedValueOnce(new Error("the disk is away"));
  await expect(keeper.atRest()).rejects.toThrow("the disk is away");
  expect(keeper.isSettled).toBe(false);
  await keeper.atRest();
  expect(keeper.isSettled).toBe(true);
});
