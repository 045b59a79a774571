import { LOG_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { CHAIN_START } from "../ports/held-log.ts";
import type { LogView } from "../ports/store.ts";
import { heldLog, logRow, ME, mac, OTHER } from "../stores/store-rows.test-kit.ts";
import { judgeLog, type LogJudgement } from "./judge-log.ts";

/** A log of two events that the cloud has too, with a change. */
const log = (change: Partial<LogView> = {}): LogView => {
  const held = heldLog({ lastSeq: 2, tailMac: mac(102), pushedSeq: 2, row: logRow() });
  const view = { ...held, atRow: mac(102), ...change };
  return { ...view, row: view.row && { ...view.row, writer: view.writer } };
};
/** The same, and the cloud's row names another writer than the log's. */
const misnamed = (change: Partial<LogView> = {}): LogView => {
  const view = log(change);
  return { ...view, row: view.row && { ...view.row, writer: view.writer === ME ? OTHER : ME } };
};
const theirs = { writer: OTHER, mine: false, followed: true };
const unread = { writer: OTHER, mine: false, followed: false };
const old = { writer: OTHER, mine: true };
const gone = { row: logRow({ deleted: true }) };

describe("T3 a log at head", () => {
  const cases: [string, LogView, LogJudgement][] = [
    ["no row, own", log({ row: null, atRow: null, pushedSeq: 0 }), { do: "push" }],
    ["no row, own, events wait", log({ row: null, atRow: null, pushedSeq: 0, waiting: 1 }), { do: "join" }],
    ["no row, own, nothing in it", log({ row: null, atRow: null, pushedSeq: 0, lastSeq: 0 }), { do: "nothing" }],
    ["S16 no row, mine, not own", log({ ...old, row: null, atRow: null }), { do: "fork", at: 0, drop: false }],
    ["no row, reader", log({ ...theirs, row: null, atRow: null }), { do: "nothing" }],
    ["deleted, tail beyond pushed", log({ ...gone, lastSeq: 3 }), { do: "fork", at: 2, drop: true }],
    ["deleted, events wait", log({ ...gone, waiting: 1 }), { do: "fork", at: 2, drop: true }],
    ["S21 deleted, nothing beyond", log(gone), { do: "drop" }],
    ["S21 deleted, reader with more", log({ ...gone, ...theirs, lastSeq: 3 }), { do: "drop" }],
    ["agrees, nothing beyond", log(), { do: "nothing" }],
    ["S14 agrees, not yet known as pushed", log({ pushedSeq: 0 }), { do: "advance" }],
    ["S14 agrees, own, known as pushed too far", log({ pushedSeq: 3, lastSeq: 3 }), { do: "advance" }],
    ["agrees, own, events wait", log({ waiting: 1 }), { do: "join" }],
    ["agrees, own, more beyond", log({ lastSeq: 3 }), { do: "push" }],
    ["S16 agrees, mine, more beyond", log({ ...old, lastSeq: 3 }), { do: "fork", at: 2, drop: false }],
    ["S16 agrees, mine, events wait", log({ ...old, waiting: 1 }), { do: "fork", at: 2, drop: false }],
    ["agrees, reader, more beyond", log({ ...theirs, lastSeq: 3 }), { do: "nothing" }],
    ["agrees, reader, behind", log({ ...theirs, pushedSeq: 0 }), { do: "advance" }],
    ["S18 shorter", log({ lastSeq: 1, atRow: null }), { do: "segments" }],
    ["S18 other content", log({ atRow: mac(9) }), { do: "segments" }],
    ["S18 other content, reader", log({ ...theirs, atRow: mac(9) }), { do: "segments" }],
    [
      "V16 segments that do not open",
      log({ atRow: mac(9), blocked: { code: "BAD_SEAL", version: 7 } }),
      { do: "nothing" },
    ],
    [
      "V16 a newer row is tried again",
      log({ atRow: mac(9), blocked: { code: "BAD_SEAL", version: 6 } }),
      { do: "segments" },
    ],
    [
      "a row without events",
      log({ row: logRow({ lastSeq: 0, tailMac: CHAIN_START }), atRow: CHAIN_START, pushedSeq: 0 }),
      { do: "push" },
    ],
    ["S21 deleted here, alive in the cloud", log({ dead: true }), { do: "delete" }],
    ["S21 deleted here, alive again after a restore, not own", log({ dead: true, ...theirs }), { do: "nothing" }],
    ["S35 shorter, nobody follows", log({ ...unread, lastSeq: 1, atRow: null }), { do: "nothing" }],
    ["S35 other content, nobody follows", log({ ...unread, atRow: mac(9) }), { do: "nothing" }],
    ["S35 behind, nobody follows", log({ ...unread, pushedSeq: 0 }), { do: "nothing" }],
    ["S35 S21 deleted, nobody follows", log({ ...unread, ...gone }), { do: "drop" }],
    ["S35 own, not written by this database", log({ mine: false, lastSeq: 1, atRow: null }), { do: "segments" }],
    ["S35 mine, another writes it", log({ ...old, lastSeq: 1, atRow: null }), { do: "segments" }],
    ["deleted on both sides", log({ dead: true, ...gone }), { do: "nothing" }],
    ["V20 another writer is named, own, more beyond", misnamed({ lastSeq: 3 }), { do: "nothing" }],
    ["V20 another writer is named, own, events wait", misnamed({ waiting: 1 }), { do: "nothing" }],
    ["V20 another writer is named, of the old id", misnamed({ ...old, lastSeq: 3 }), { do: "nothing" }],
    ["V20 another writer is named, deleted", misnamed({ ...gone, lastSeq: 3 }), { do: "nothing" }],
    ["V20 another writer is named, reader, other content", misnamed({ ...theirs, atRow: mac(9) }), { do: "nothing" }],
    ["V20 another writer is named, deleted here", misnamed({ dead: true }), { do: "nothing" }],
    ["a change of the old id is not forked", log({ ...old, kind: LOG_KINDS.change, lastSeq: 3 }), { do: "nothing" }],
  ];
  for (const [name, view, judgement] of cases)
    test(`T3 ${name} → ${judgement.do}`, () => {
      expect(judgeLog(view, ME)).toEqual(judgement);
    });
});
