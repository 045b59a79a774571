import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { heldRecord, mac, OTHER, recordRow } from "../stores/store-rows.test-kit.ts";
import { answerRecord } from "./answer-record.ts";
import { editRecord } from "./edit-record.ts";
import { mergeRecord, type OpenedRow } from "./merge-record.ts";

const met = (change: Parameters<typeof recordRow>[0] = {}): OpenedRow => ({
  row: recordRow(change),
  opened: { ok: true, body: '{"from":"cloud"}' },
});
const taken = (one: OpenedRow) => ({
  ...heldRecord({ writer: OTHER, mac: one.row.mac, item: one.row.body, body: '{"from":"cloud"}' }),
  rev: one.row.rev,
  deleted: one.row.deleted,
  base: one.row,
});
const edit = heldRecord({ dirty: "edit", rev: 3, mac: mac(7), item: "item" });
const clean = heldRecord({ rev: 3, mac: mac(7), item: "item" });

describe("T4 a record meets the cloud's row", () => {
  test("absent, row → take", () => expect(mergeRecord(null, met(), false)).toEqual(taken(met())));
  test("absent, none → nothing", () => expect(mergeRecord(null, null, true)).toBe(null));
  test("S23 any, the same mac → take, clean", () =>
    expect(mergeRecord(edit, met({ mac: mac(7) }), false)).toEqual(taken(met({ mac: mac(7) }))));
  test("S24 edit, lower rev → keep, with the row as base", () =>
    expect(mergeRecord(edit, met(), false)).toEqual({ ...edit, base: recordRow() }));
  test("S24 edit, rev not lower → keep with the next rev, sealed anew", () =>
    expect(mergeRecord(edit, met({ rev: 3 }), false)).toMatchObject({ rev: 4, mac: "", item: "", dirty: "edit" }));
  test("S24 edit, none → keep", () => expect(mergeRecord(edit, null, true)).toEqual(edit));
  test("S24 an edit beats a deletion it has not seen", () =>
    expect(mergeRecord(edit, met({ deleted: true, rev: 9 }), false)).toMatchObject({ deleted: false, rev: 10 }));
  test("S28 an outcome, rev not lower → take", () => {
    const outcome = { ...edit, kind: RECORD_KINDS.outcome };
    expect(mergeRecord(outcome, met({ rev: 3 }), false)).toMatchObject({ dirty: "", body: '{"from":"cloud"}' });
  });
  test("S25 salvage, lower rev → salvage", () =>
    expect(mergeRecord({ ...clean, dirty: "salvage" }, met(), false)).toMatchObject({
      dirty: "salvage",
      item: "item",
    }));
  test("S25 clean with lineage, lower rev → salvage, sealed as it was", () =>
    expect(mergeRecord(clean, met(), true)).toMatchObject({ dirty: "salvage", rev: 3, mac: mac(7) }));
  test("S25 clean with lineage, none → salvage", () =>
    expect(mergeRecord(clean, null, true)).toMatchObject({ dirty: "salvage", base: null }));
  test("S25 salvage loses against an equal rev", () =>
    expect(mergeRecord({ ...clean, dirty: "salvage" }, met({ rev: 3 }), true)).toEqual(taken(met({ rev: 3 }))));
  test("clean, row → take", () => expect(mergeRecord(clean, met(), false)).toEqual(taken(met())));
  test("clean, none → nothing is held", () => expect(mergeRecord(clean, null, false)).toBe(null));
  test("S27 V16 what does not open leaves the held content and is known as a row", () => {
    const sealed: OpenedRow = { row: recordRow({ rev: 9 }), opened: { ok: false, code: "UNKNOWN_FORMAT" } };
    expect(mergeRecord(clean, sealed, false)).toEqual({ ...clean, base: sealed.row, quarantine: "UNKNOWN_FORMAT" });
    expect(mergeRecord(null, sealed, false)).toMatchObject({
      body: null,
      base: sealed.row,
      quarantine: "UNKNOWN_FORMAT",
    });
  });
});

describe("the answer to a pushed record", () => {
  const sent = mac(7);
  test("S23 OK and unchanged since: clean", () =>
    expect(answerRecord(edit, { code: "OK", mac: sent, met: met({ mac: sent }) })).toMatchObject({ dirty: "" }));
  test("S23 OK and edited since: stays an edit on the new base", () => {
    const later = { ...edit, rev: 4, mac: "" };
    const row = met({ mac: sent, rev: 3 });
    expect(answerRecord(later, { code: "OK", mac: sent, met: row })).toEqual({ ...later, base: row.row });
  });
  test("C099 CONFLICT with the own mac: the answer was lost, it was mine", () =>
    expect(answerRecord(edit, { code: "CONFLICT", mac: sent, met: met({ mac: sent }) })).toMatchObject({ dirty: "" }));
  test("C098 CONFLICT with another row: the edit goes on that row", () =>
    expect(answerRecord(edit, { code: "CONFLICT", mac: sent, met: met({ rev: 5, version: 8 }) })).toMatchObject({
      dirty: "edit",
      rev: 6,
      base: { version: 8 },
    }));
  test("S22 FORBIDDEN: the cloud's row is taken", () =>
    expect(answerRecord(edit, { code: "FORBIDDEN", mac: sent, met: met() })).toEqual(taken(met())));
  test("S22 FORBIDDEN for what was edited since: asked again", () =>
    expect(answerRecord({ ...edit, mac: "" }, { code: "FORBIDDEN", mac: sent, met: met() })).toMatchObject({
      dirty: "edit",
    }));
  test("S26 TOO_LARGE: blocked until it is edited", () => {
    const blocked = answerRecord(edit, { code: "TOO_LARGE", mac: sent, met: null });
    expect(blocked).toEqual({ ...edit, blocked: "TOO_LARGE" });
    expect(editRecord(blocked, { ...edit, body: "{}" }, OTHER).blocked).toBe(null);
  });
  test("an older answer than what is held changes nothing", () => {
    const held = { ...edit, base: recordRow({ version: 9 }) };
    expect(answerRecord(held, { code: "OK", mac: sent, met: met() })).toBe(held);
  });
});
