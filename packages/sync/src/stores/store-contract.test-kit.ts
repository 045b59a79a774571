import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHAIN_START, type HeldLog } from "../ports/held-log.ts";
import type { Change, Need, Store } from "../ports/store.ts";
import { newSyncState } from "../ports/sync-state.ts";
import type { AcceptCommand } from "./memory-store.ts";
import { events, heldLog, heldRecord, id, logRow, ME, mac, OTHER, recordRow } from "./store-rows.test-kit.ts";

export interface OpenStore {
  store: Store;
  close: () => Promise<void> | void;
}
export interface StoreUnderTest {
  /** Opens an empty store of device `ME`; `again` opens the one that was opened last. */
  open: (o: { again: boolean; accept: AcceptCommand }) => Promise<OpenStore>;
  /** False for a store that forgets at its close. */
  durable: boolean;
}

/** What every store must do, whatever it stands on. */
export function storeContract(name: string, { open, durable }: StoreUnderTest): void {
  describe(`store contract: ${name}`, () => {
    let opened: OpenStore;
    const accept: AcceptCommand = (command) => (command.body === "later" ? null : '{"state":"done"}');
    beforeEach(async () => {
      opened = await open({ again: false, accept });
    });
    afterEach(async () => opened.close());
    const write = (...changes: Change[]): Promise<void> =>
      opened.store.apply({}, () => ({ changes, result: undefined }));
    const read = (need: Need): ReturnType<Store["read"]> => opened.store.read(need);
    const STREAM = id(20);

    test("a new store knows its device and nothing else", async () => {
      const view = await read({ dirty: 9, unbased: true, unsettled: true, commands: true });
      expect(view.state).toEqual(newSyncState(ME));
      expect([view.records.size, view.logs.size, view.events, view.waiting, view.commands]).toEqual([0, 0, [], [], []]);
    });

    test("S10 records are found by key, by what is to be sent, and by a missing base", async () => {
      const clean = heldRecord({ id: id(11), base: recordRow({ id: id(11) }) });
      const edit = heldRecord({ id: id(12), dirty: "edit" });
      const salvage = heldRecord({ id: id(13), dirty: "salvage", base: recordRow({ id: id(13) }) });
      for (const record of [clean, edit, salvage]) await write({ op: "record", record });
      const ids = async (need: Need): Promise<string[]> =>
        [...(await read(need)).records.values()].map((one) => one.id).sort();
      expect((await read({ records: [clean] })).records.get(`9:${id(11)}`)).toEqual(clean);
      expect(await ids({ dirty: 9 })).toEqual([id(12), id(13)]);
      expect(await ids({ unbased: true })).toEqual([id(12)]);
      await write({ op: "record", record: { ...edit, id: id(14) } });
      expect(await ids({ dirty: 1 })).toHaveLength(2);
      await write({ op: "forget-record", key: edit });
      expect(await ids({ records: [edit] })).toEqual([]);
    });

    test("S14 a log shows its own chain value where the cloud's ends", async () => {
      await write(
        { op: "log", log: heldLog({ lastSeq: 3 }) },
        { op: "append", streamId: STREAM, events: events(1, 3) },
      );
      const atRow = async (): Promise<unknown> => (await read({ logs: [STREAM] })).logs.get(STREAM)?.atRow;
      expect(await atRow()).toBe(null);
      for (const [lastSeq, own] of [
        [0, CHAIN_START],
        [2, mac(102)],
        [4, null],
      ] as const) {
        await write({ op: "log", log: heldLog({ lastSeq: 3, row: logRow({ lastSeq }) }) });
        expect(await atRow()).toBe(own);
      }
    });

    test("T2 logs that want something are found, settled ones are not", async () => {
      const settled = heldLog({ lastSeq: 2, tailMac: mac(102), pushedSeq: 2, row: logRow() });
      await write({ op: "log", log: settled }, { op: "log", log: heldLog({ streamId: id(21), lastSeq: 1 }) });
      expect([...(await read({ unsettled: true })).logs.keys()]).toEqual([id(21)]);
      await write({ op: "log", log: { ...settled, waiting: 1 } });
      expect([...(await read({ unsettled: true })).logs.keys()].sort()).toEqual([STREAM, id(21)]);
    });

    test("S35 a log that nobody follows wants nothing, whatever the cloud holds of it, until it is deleted or followed", async () => {
      const foreign = heldLog({ writer: OTHER, mine: false, lastSeq: 1, pushedSeq: 1, row: logRow({ writer: OTHER }) });
      const found = async (log: HeldLog): Promise<HeldLog | undefined> => {
        await write({ op: "log", log });
        return (await read({ unsettled: true })).logs.get(STREAM);
      };
      expect(await found(foreign)).toBe(undefined);
      expect((await read({ logs: [STREAM] })).logs.get(STREAM)).toEqual({ ...foreign, atRow: null });
      expect(await found({ ...foreign, followed: true })).toMatchObject({ followed: true });
      expect(await found(foreign)).toBe(undefined);
      expect(await found({ ...foreign, row: logRow({ deleted: true }) })).toMatchObject({ followed: false });
      await write({ op: "log", log: { ...foreign, row: null, followed: true } }, { op: "forget-rows", writer: ME });
      expect((await read({ unsettled: true })).logs.get(STREAM)).toMatchObject({ followed: true, row: null });
    });

    test("S17 a tail that is cut waits before what waits already, and comes back by id", async () => {
      const list = async (): Promise<{ seqs: number[]; waiting: string[] }> => {
        const view = await read({ events: { streamId: STREAM, from: 1, to: 99 } });
        return { seqs: view.events.map((one) => one.seq), waiting: view.waiting.map((one) => one.id) };
      };
      await write({ op: "append", streamId: STREAM, events: events(1, 4) });
      await write({
        op: "wait",
        streamId: STREAM,
        events: [
          { id: "later", line: "l" },
          { id: "last", line: "l" },
        ],
      });
      await write(
        { op: "cut", streamId: STREAM, after: 3, to: "waiting" },
        { op: "cut", streamId: STREAM, after: 1, to: "waiting" },
      );
      expect(await list()).toEqual({ seqs: [1], waiting: [id(1002), id(1003), id(1004), "later", "last"] });
      await write({ op: "unwait", streamId: STREAM, ids: [id(1003), "last"] });
      expect((await list()).waiting).toEqual([id(1002), id(1004), "later"]);
      await write({ op: "wait", streamId: STREAM, events: [{ id: "new", line: "l" }] });
      expect((await list()).waiting.at(-1)).toBe("new");
      await write(
        { op: "unwait", streamId: STREAM, ids: "all" },
        { op: "cut", streamId: STREAM, after: 0, to: "nowhere" },
      );
      expect(await list()).toEqual({ seqs: [], waiting: [] });
    });

    test("ranges of events are exact, and other logs are not touched", async () => {
      await write({ op: "append", streamId: STREAM, events: events(1, 12) });
      await write({ op: "append", streamId: id(21), events: events(1, 2) });
      const range = async (streamId: string, from: number, to: number): Promise<number[]> =>
        (await read({ events: { streamId, from, to } })).events.map((one) => one.seq);
      expect(await range(STREAM, 9, 11)).toEqual([9, 10, 11]);
      expect(await range(STREAM, 1, 0)).toEqual([]);
      await write({ op: "cut", streamId: STREAM, after: 10, to: "orphans" });
      expect(await range(STREAM, 10, Number.MAX_SAFE_INTEGER)).toEqual([10]);
      expect(await range(id(21), 1, 9)).toEqual([1, 2]);
    });

    test("S10 a reset forgets bases and rows, and what this device had pushed", async () => {
      const mine = heldLog({ lastSeq: 2, pushedSeq: 2, row: logRow() });
      const theirs = heldLog({ streamId: id(21), writer: OTHER, lastSeq: 2, pushedSeq: 2, row: logRow() });
      const record = heldRecord({ base: recordRow() });
      await write({ op: "log", log: mine }, { op: "log", log: theirs }, { op: "record", record });
      await write({ op: "forget-rows", writer: ME });
      const view = await read({ logs: [STREAM, id(21)], unbased: true });
      expect([...view.logs.values()].map(({ row, pushedSeq }) => ({ row, pushedSeq }))).toEqual([
        { row: null, pushedSeq: 0 },
        { row: null, pushedSeq: 2 },
      ]);
      expect([...view.records.values()]).toEqual([{ ...record, base: null }]);
    });

    test("S8 a decision that throws writes nothing", async () => {
      await write({ op: "record", record: heldRecord() });
      const failing = opened.store.apply({ records: [heldRecord()] }, (view) => {
        if (view.records.size === 1) throw new Error("no");
        return { changes: [], result: 1 };
      });
      await expect(failing).rejects.toThrow("no");
      expect((await read({ unbased: true })).records.size).toBe(1);
      await write({ op: "forget-record", key: heldRecord() });
      expect((await read({ unbased: true })).records.size).toBe(0);
    });

    test("S34 decisions made at once see each other", async () => {
      const add = (): Promise<number> =>
        opened.store.apply({}, ({ state }) => {
          const next = { ...state, cursor: state.cursor + 1 };
          return { changes: [{ op: "state", state: next }], result: next.cursor };
        });
      const results = await Promise.all(Array.from({ length: 20 }, add));
      expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect((await read({})).state.cursor).toBe(20);
    });

    test("S29 S31 a command that was taken on is marked in the same transaction, and open until it is answered", async () => {
      const command = (n: number, body: string) => heldRecord({ kind: RECORD_KINDS.command, id: id(n), body });
      const forMe = command(30, JSON.stringify({ targetDeviceId: ME }));
      const forOther = command(31, JSON.stringify({ targetDeviceId: OTHER }));
      await write({ op: "record", record: forOther }, { op: "record", record: forMe });
      expect((await read({ commands: true })).commands).toEqual([{ command: forMe, outcome: null }]);
      const claim = heldRecord({ kind: RECORD_KINDS.outcome, id: id(30), body: '{"state":"claimed","boot":"b"}' });
      await write({ op: "record", record: claim }, { op: "accept", command: forMe });
      const taken = { command: forMe, outcome: claim, applied: '{"state":"done"}' };
      expect((await read({ commands: true })).commands).toEqual([taken]);
      await write({ op: "record", record: { ...claim, body: '{"state":"done"}' } });
      expect((await read({ commands: true })).commands).toEqual([]);
    });

    if (!durable) return;
    test("everything is there again after the store was opened anew", async () => {
      const state = { ...newSyncState(ME), cursor: 9, boots: ["b"] };
      await write({ op: "state", state }, { op: "record", record: heldRecord({ dirty: "edit" }) });
      await write(
        { op: "log", log: heldLog({ lastSeq: 1 }) },
        { op: "append", streamId: STREAM, events: events(1, 1) },
      );
      await opened.close();
      opened = await open({ again: true, accept });
      const view = await read({ dirty: 1, unsettled: true, events: { streamId: STREAM, from: 1, to: 9 } });
      expect(view.state).toEqual(state);
      expect([view.records.size, view.logs.size, view.events]).toEqual([1, 1, events(1, 1)]);
    });
  });
}
