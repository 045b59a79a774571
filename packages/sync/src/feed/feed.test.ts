import { createHash } from "node:crypto";
import type { PullPage } from "@codehands/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { View } from "../ports/store.ts";
import { EMPTY_SUM, newSyncState } from "../ports/sync-state.ts";
import { heldLog, heldRecord, id, logRow, ME, mac, recordRow } from "../stores/store-rows.test-kit.ts";
import { SyncError } from "../sync-error.ts";
import { applyPage, mergeLogRow } from "./apply-page.ts";
import { checkPage } from "./check-page.ts";
import { Draft } from "./draft.ts";
import { logDigest, recordDigest, xorSums } from "./row-digest.ts";
import { sha256 } from "./sha256.ts";
import { startReset } from "./start-reset.ts";

const state = { ...newSyncState(ME), epoch: "E", mode: null };
const draftOf = (change: Partial<View> = {}): Draft =>
  new Draft({ state, records: new Map(), logs: new Map(), events: [], waiting: [], commands: [], ...change });
const page = (change: Partial<PullPage> = {}): PullPage => ({
  from: 0,
  rows: [],
  next: 0,
  more: false,
  head: 0,
  now: "2026-01-01T00:00:00.000Z",
  rosterSeq: 0,
  ...change,
});
const row = recordRow();
const filled = page({
  rows: [
    { row: "record", ...row },
    { row: "log", ...logRow() },
  ],
  next: 7,
  head: 7,
});
const opened = new Map([[`9:${row.id}`, { ok: true as const, body: "{}" }]]);
const sum = xorSums(recordDigest(row), logDigest(logRow()));

describe("S11 the sum", () => {
  test("sha256 agrees with Node's for every length around a block", () => {
    for (let length = 0; length < 140; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      expect(Buffer.from(sha256(bytes))).toEqual(createHash("sha256").update(bytes).digest());
    }
  });
  test("S11 a record and a log are digested in the layout of the contract", () => {
    const bytes = (...parts: (number[] | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
    const uuid = (text: string) => Buffer.from(text.replaceAll("-", ""), "hex");
    const u64 = (n: number) => [0, 0, 0, 0, 0, 0, 0, n];
    const first8 = (data: Buffer) => createHash("sha256").update(data).digest("hex").slice(0, 16);
    expect(recordDigest(row)).toBe(first8(bytes([0, 9], uuid(row.id), u64(5), Buffer.from(row.mac, "base64url"))));
    const log = logRow();
    const tail = Buffer.from(log.tailMac, "base64url");
    const data = bytes(uuid(log.streamId), u64(7), u64(2), tail, uuid(log.writer), [0, 0, 0, 1]);
    expect(logDigest(log)).toBe(first8(data));
    expect(recordDigest(recordRow({ deleted: true }))).toBe(EMPTY_SUM);
  });
  test("S11 the held sum follows every put, and a page that agrees is the head", () => {
    const draft = draftOf();
    expect(applyPage(draft, 0, { page: { ...filled, sum }, opened })).toBe("head");
    expect(draft.state).toMatchObject({ sum, cursor: 7, top: 7, gen: 0 });
    draft.putRecord(row, null);
    expect(draft.state.sum).toBe(logDigest(logRow()));
  });
  test("S11 another sum begins a lineage reset and is counted", () => {
    const draft = draftOf();
    expect(applyPage(draft, 0, { page: { ...filled, sum: EMPTY_SUM }, opened })).toBe("mismatch");
    expect(draft.state).toMatchObject({ gen: 1, cursor: 0, sumResets: 1, reset: { since: null, reason: "lineage" } });
  });
  test("S11 nothing is compared while a newer row than the page's head is held", () => {
    const draft = draftOf({ state: { ...state, top: 8 } });
    expect(applyPage(draft, 0, { page: { ...filled, sum: EMPTY_SUM }, opened })).toBe("head");
  });
});

describe("S8 a page and its cursor", () => {
  test("S8 a page for another cursor or generation changes nothing", () => {
    const draft = draftOf({ state: { ...state, cursor: 3 } });
    expect(applyPage(draft, 0, { page: filled, opened })).toBe("late");
    expect(applyPage(draftOf(), 1, { page: filled, opened })).toBe("late");
    expect(draft.changes()).toHaveLength(1);
  });
  test("S8 a row that is not newer than the held one is ignored", () => {
    const held = heldRecord({ base: recordRow({ version: 6 }), body: "mine" });
    const draft = draftOf({ records: new Map([[`9:${row.id}`, held]]) });
    applyPage(draft, 0, { page: filled, opened });
    expect(draft.record(row)).toBe(held);
    const log = { ...heldLog({ row: logRow({ version: 9 }) }), atRow: null };
    const other = draftOf({ logs: new Map([[log.streamId, log]]) });
    mergeLogRow(other, logRow({ lastSeq: 99 }));
    expect(other.log(log.streamId)?.row?.lastSeq).toBe(2);
  });
  test("S14 a newer row is remembered and moves nothing else", () => {
    const log = { ...heldLog({ lastSeq: 2, pushedSeq: 0 }), atRow: null };
    const draft = draftOf({ logs: new Map([[log.streamId, log]]) });
    mergeLogRow(draft, logRow());
    expect(draft.log(log.streamId)).toMatchObject({ row: logRow(), pushedSeq: 0, lastSeq: 2 });
  });
});

describe("S10 a reset", () => {
  const held = heldRecord({ base: row, mac: row.mac });
  const log = { ...heldLog({ lastSeq: 2, tailMac: mac(102), pushedSeq: 2, row: logRow() }), atRow: mac(102) };
  const begun = (): Draft => {
    const draft = draftOf({
      state: { ...state, cursor: 7, top: 7, sum },
      records: new Map([[`9:${row.id}`, held]]),
      logs: new Map([[log.streamId, log]]),
    });
    startReset(draft, { gen: 0, reason: "lineage", epoch: "F" });
    return draft;
  };
  test("S10 forgets bases and rows, and keeps what is held", () => {
    const draft = begun();
    expect(draft.record(row)).toEqual({ ...held, base: null });
    expect(draft.log(log.streamId)).toMatchObject({ row: null, pushedSeq: 0, lastSeq: 2, finalSeq: 0 });
    expect(draft.state).toMatchObject({ gen: 1, epoch: "F", cursor: 0, top: 0, sum: EMPTY_SUM });
    expect(draft.changes().map((change) => change.op)).toEqual(["forget-rows", "state"]);
  });
  test("S10 an answer of an earlier generation begins none", () =>
    expect(startReset(begun(), { gen: 0, reason: "purged", epoch: "F" })).toBe(false));
  test("S10 a lineage reset that is started again stays one", () => {
    const draft = begun();
    startReset(draft, { gen: 1, reason: "purged", epoch: "F" });
    expect(draft.state.reset).toEqual({ since: null, reason: "lineage" });
  });
  test("S9 since is the head that the first page showed", () => {
    const draft = begun();
    applyPage(draft, 1, { page: page({ rows: filled.rows.slice(0, 1), next: 5, more: true, head: 40 }), opened });
    expect(draft.state.reset).toEqual({ since: 40, reason: "lineage" });
  });
  test("S10 S25 at its end what the cloud did not show goes through T4: salvaged here, nothing is dropped", () => {
    const draft = begun();
    expect(applyPage(draft, 1, { page: page({ head: 3 }), opened: new Map() })).toBe("head");
    expect(draft.record(row)).toMatchObject({ dirty: "salvage", base: null });
    expect(draft.state.reset).toBe(null);
    expect(draft.log(log.streamId)).toMatchObject({ lastSeq: 2 });
  });
  test("S10 a purged reset drops clean records that are gone", () => {
    const draft = draftOf({ records: new Map([[`9:${row.id}`, held]]), state: { ...state, sum: recordDigest(row) } });
    startReset(draft, { gen: 0, reason: "purged", epoch: "E" });
    applyPage(draft, 1, { page: page(), opened: new Map() });
    expect(draft.record(row)).toBe(null);
  });
});

test("F36 a page that cannot be is refused whole, whatever numbers it holds", () => {
  const number = fc.integer({ min: 0, max: 12 });
  const anyPage = fc.record({
    from: number,
    next: number,
    head: number,
    more: fc.boolean(),
    versions: fc.array(number, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(anyPage, ({ versions, ...numbers }) => {
      const rows = versions.map((version, n) => ({ row: "record" as const, ...recordRow({ id: id(n), version }) }));
      const sent = page({ ...numbers, rows });
      const order = [sent.from, ...versions];
      const isRising = order.every((version, i) => i === 0 || version > (order[i - 1] ?? 0));
      const goesOn = !sent.more || rows.length > 0;
      const can = isRising && sent.next === order.at(-1) && goesOn && sent.next <= sent.head;
      let refused: unknown = null;
      try {
        checkPage(sent);
      } catch (error) {
        refused = error;
      }
      expect(refused instanceof SyncError ? refused.code : refused).toBe(can ? null : "bad_reply");
    }),
    { numRuns: 500 },
  );
});
