import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { type AcceptCommand, Draft, followLog, type HeldRecord, newLog } from "@codehands/sync";
import { type OpenStore, type StoreUnderTest, storeContract } from "@codehands/sync/store-contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DeviceStore, Touched } from "../ports/device-store.ts";
import { commandId, LAPTOP, linesOf, OtherDevice, sessionId } from "../replica/other-device.test-kit.ts";

/** The device of every store that is opened here: the same as in the contract of the sync's stores. */
export const CONTRACT_DEVICE = "00000000-0000-7000-8000-000000000001";

export interface OpenDeviceStore extends OpenStore {
  store: DeviceStore;
}
export interface DeviceStoreUnderTest extends StoreUnderTest {
  open: (o: { again: boolean; accept: AcceptCommand }) => Promise<OpenDeviceStore>;
}

/** What every store of a device must do: the contract of the sync's stores, and what a replica looks up. */
export function deviceStoreContract(name: string, under: DeviceStoreUnderTest): void {
  storeContract(name, under);
  describe(`device store contract: ${name}`, () => {
    let opened: OpenDeviceStore;
    let laptop: OtherDevice;
    beforeEach(async () => {
      opened = await under.open({ again: false, accept: () => null });
      laptop = new OtherDevice(opened.store);
    });
    afterEach(async () => opened.close());
    const STREAM = sessionId(1);

    test("records are found by their kind, deleted ones too, exactly as they were written", async () => {
      const { store } = opened;
      const key = (n: number) => ({ kind: RECORD_KINDS.session, id: sessionId(n) });
      await laptop.writes(key(1), { title: "one" });
      await laptop.writes(key(2), "{}", { deleted: true });
      await laptop.writes({ kind: RECORD_KINDS.task, id: sessionId(3) }, {});
      const found = await store.recordsOf(RECORD_KINDS.session);
      expect(new Map(found.map(({ id, deleted }) => [id, deleted]))).toEqual(
        new Map([
          [sessionId(1), false],
          [sessionId(2), true],
        ]),
      );
      const { records } = await store.read({ records: [key(1)] });
      expect(found.find(({ id }) => id === sessionId(1))).toEqual([...records.values()][0]);
      expect((await store.allRecords()).map(({ id }) => id).sort()).toEqual([1, 2, 3].map(sessionId));
      expect(await store.recordsOf(RECORD_KINDS.note)).toEqual([]);
    });

    test("records that were refused, here or by the cloud, are found among the others", async () => {
      const { store } = opened;
      const held = async (n: number, change: Partial<HeldRecord>) => {
        const key = { kind: RECORD_KINDS.task, id: sessionId(n) };
        await laptop.writes(key, {});
        await store.apply({ records: [key] }, (view) => {
          const draft = new Draft(view);
          const record = draft.record(key);
          draft.putRecord(key, record && { ...record, ...change });
          return { changes: draft.changes(), result: undefined };
        });
      };
      expect(await store.refusedRecords()).toEqual([]);
      await held(1, {});
      await held(2, { blocked: "TOO_LARGE" });
      await held(3, { quarantine: "BAD_SEAL" });
      const found = (await store.refusedRecords()).map(({ id, blocked, quarantine }) => [id, { blocked, quarantine }]);
      expect(Object.fromEntries(found)).toEqual({
        [sessionId(2)]: { blocked: "TOO_LARGE", quarantine: null },
        [sessionId(3)]: { blocked: null, quarantine: "BAD_SEAL" },
      });
    });

    test("a log is given as it is held; an unknown one is null", async () => {
      const { store } = opened;
      expect(await store.logOf(STREAM)).toBeNull();
      await store.apply({ logs: [STREAM] }, (view) => {
        const draft = new Draft(view);
        followLog(draft, { streamId: STREAM, kind: LOG_KINDS.session, writer: LAPTOP });
        return { changes: draft.changes(), result: undefined };
      });
      const wanted = { ...newLog({ streamId: STREAM, kind: LOG_KINDS.session, writer: LAPTOP }), followed: true };
      expect(await store.logOf(STREAM)).toEqual(wanted);
    });

    test("events come after a seq, or the newest, always in order", async () => {
      const { store } = opened;
      await laptop.arrives(STREAM, linesOf(1, 12));
      await laptop.arrives(sessionId(2), linesOf(1, 3));
      const seqs = async (range: { limit: number } & ({ after: number } | { newest: true })) =>
        (await store.eventsOf({ streamId: STREAM, ...range })).map(({ seq }) => seq);
      expect(await seqs({ after: 0, limit: 3 })).toEqual([1, 2, 3]);
      expect(await seqs({ after: 9, limit: 50 })).toEqual([10, 11, 12]);
      expect(await seqs({ after: 12, limit: 5 })).toEqual([]);
      expect(await seqs({ after: 3, limit: 0 })).toEqual([]);
      expect(await seqs({ newest: true, limit: 2 })).toEqual([11, 12]);
      expect(await seqs({ newest: true, limit: 50 })).toHaveLength(12);
      const [first] = await store.eventsOf({ streamId: STREAM, after: 0, limit: 1 });
      expect(first).toEqual({ seq: 1, id: "e1", mac: expect.any(String), line: linesOf(1, 1)[0] });
      expect(await store.eventsOf({ streamId: sessionId(9), newest: true, limit: 5 })).toEqual([]);
    });

    test("a listener is told of each commit with what it touched, once it can be read, until it leaves", async () => {
      const { store } = opened;
      const told: Touched[] = [];
      const readable: Promise<unknown>[] = [];
      const leave = store.onCommit((touched) => {
        told.push(touched);
        readable.push(store.recordsOf(RECORD_KINDS.session));
      });
      await laptop.session(1);
      await laptop.arrives(STREAM, linesOf(1, 1));
      await store.apply({}, (view) => ({ changes: [{ op: "state", state: view.state }], result: undefined }));
      await expect(
        store.apply({}, () => {
          throw new Error("undecided");
        }),
      ).rejects.toThrow("undecided");
      leave();
      await laptop.outcome(commandId(1), {});
      expect(told).toEqual([
        { records: [`${RECORD_KINDS.session}:${STREAM}`], logs: [] },
        { records: [], logs: [STREAM] },
      ]);
      expect(await readable[0]).toHaveLength(1);
    });
  });
}
