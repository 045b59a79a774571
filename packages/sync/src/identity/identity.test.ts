import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { Draft } from "../feed/draft.ts";
import { type HeldRecord, recordKey } from "../ports/held-record.ts";
import { newSyncState, type SyncState } from "../ports/sync-state.ts";
import { heldRecord, id, ME, OTHER, recordRow } from "../stores/store-rows.test-kit.ts";
import { addBoot, applyHello, applyRefusal } from "./apply-hello.ts";
import { adoptDevice, becomeNew } from "./become-new.ts";

const draftOf = (change: Partial<SyncState> = {}, records: HeldRecord[] = []): Draft =>
  new Draft({
    state: { ...newSyncState(ME), ...change },
    records: new Map(records.map((record) => [recordKey(record), record])),
    logs: new Map(),
    events: [],
    waiting: [],
    commands: [],
  });

describe("S1 boots", () => {
  test("S1 a boot is added once, and the newest 256 are kept", () => {
    const state = addBoot(newSyncState(ME), "b");
    expect(addBoot(state, "b")).toBe(state);
    const full = { ...state, boots: Array.from({ length: 256 }, (_, i) => `b${i}`) };
    expect(addBoot(full, "new").boots).toEqual([...full.boots.slice(1), "new"]);
  });
});

describe("S2–S5 the answer to hello", () => {
  test("S2 OK in the same lineage", () => {
    const draft = draftOf({ epoch: "E" });
    expect(applyHello(draft, { answer: "OK", epoch: "E" }, ME)).toBe(true);
    expect(draft.state).toMatchObject({ mode: null, gen: 0, reset: null });
  });
  test("S9 OK in another lineage begins a lineage reset", () => {
    const draft = draftOf({ epoch: "E" });
    applyHello(draft, { answer: "OK", epoch: "F" }, ME);
    expect(draft.state).toMatchObject({ epoch: "F", gen: 1, reset: { since: null, reason: "lineage" } });
  });
  test("S9 the first hello of all is no change of lineage", () => {
    const draft = draftOf();
    applyHello(draft, { answer: "OK", epoch: "E" }, ME);
    expect(draft.state.reset).toEqual({ since: null, reason: "purged" });
  });
  test("S3 F35 COPY stops and asks", () => {
    const draft = draftOf();
    expect(applyHello(draft, { answer: "COPY", seen: "x" }, ME)).toBe(false);
    expect(draft.state.copy).toEqual({ seen: "x" });
  });
  test("an answer for the id that this device had before is nobody's", () => {
    const draft = draftOf();
    applyHello(draft, { answer: "COPY", seen: "x" }, OTHER);
    applyRefusal(draft, "REVOKED", OTHER);
    expect(draft.state).toEqual(newSyncState(ME));
  });
  test("S5 UNKNOWN: paired again under the same id, REVOKED: stops", () => {
    const draft = draftOf({ mode: null });
    applyRefusal(draft, "UNKNOWN", ME);
    expect(draft.state).toMatchObject({ deviceId: ME, mode: "register" });
    applyRefusal(draft, "REVOKED", ME);
    expect(draft.state.revoked).toBe(true);
  });
});

describe("S3 what a person picks", () => {
  test("S3 this is the device: adopt with what was seen", () => {
    const draft = draftOf({ copy: { seen: "x" }, mode: null });
    adoptDevice(draft);
    expect(draft.state).toMatchObject({ mode: "adopt", seen: "x", copy: null, deviceId: ME });
  });
  test("S3 a new device: unsent commands go along, what only the old id may send does not", () => {
    const shared = heldRecord({ dirty: "edit" });
    const command = heldRecord({ kind: RECORD_KINDS.command, id: id(30), dirty: "edit", mac: "m", item: "i" });
    const session = heldRecord({ kind: RECORD_KINDS.session, id: id(20), dirty: "edit", base: recordRow() });
    const kept = heldRecord({ kind: RECORD_KINDS.session, id: id(21), dirty: "salvage" });
    const draft = draftOf({ copy: { seen: "x" }, epoch: "E", cursor: 9, boots: ["b"] }, [
      shared,
      command,
      session,
      kept,
    ]);
    becomeNew(draft, OTHER);
    expect(draft.state).toMatchObject({ deviceId: OTHER, boots: [], mode: "register", copy: null, cursor: 0, gen: 1 });
    expect(draft.record(shared)).toMatchObject({ dirty: "edit" });
    expect(draft.record(command)).toMatchObject({ writer: OTHER, mac: "", dirty: "edit" });
    expect(draft.record(session)).toBe(null);
    expect(draft.record(kept)).toMatchObject({ dirty: "salvage", writer: ME });
  });
});
