import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { CHAIN_START } from "../ports/held-log.ts";
import { logRow, ME, mac, OTHER, recordRow } from "../stores/store-rows.test-kit.ts";
import { judgeLogPush, judgeRecordPush, type PushedLog } from "./judge-push.ts";

const { streamId, kind, writer, writerEpoch } = logRow();
const name = { streamId, kind, writer, writerEpoch };
const log: PushedLog = { ...name, from: 3, to: 4, prevMac: mac(102), mac: mac(104) };
const begin: PushedLog = { ...name, from: 1, to: 2, prevMac: CHAIN_START, mac: mac(102) };

describe("T1 the cloud, one log of a push (S13)", () => {
  const cases: [says: string, ReturnType<typeof logRow> | null, PushedLog, string, string][] = [
    ["none, from 1", null, begin, "OK", "create"],
    ["none, from 3", null, log, "HAVE", "none"],
    ["none, from 1 on another chain", null, { ...begin, prevMac: mac(9) }, "HAVE", "none"],
    ["deleted", logRow({ deleted: true }), log, "GONE", "none"],
    ["another writer", logRow({ writer: OTHER }), log, "FENCED", "none"],
    ["another writer epoch", logRow({ writerEpoch: 2 }), log, "FENCED", "none"],
    ["S21 deletion", logRow(), { ...log, deleted: true }, "OK", "delete"],
    ["the next seq on the same chain", logRow(), log, "OK", "append"],
    ["the next seq on another chain", logRow(), { ...log, prevMac: mac(9) }, "HAVE", "none"],
    ["a repeat of the end", logRow(), begin, "OK", "none"],
    ["an inner range", logRow({ lastSeq: 9, tailMac: mac(109) }), begin, "HAVE", "none"],
    ["the same end with another chain", logRow(), { ...begin, mac: mac(9) }, "HAVE", "none"],
    ["a gap", logRow({ lastSeq: 1, tailMac: mac(101) }), log, "HAVE", "none"],
  ];
  for (const [says, row, pushed, code, effect] of cases)
    test(`T1 ${says}: ${code}`, () => {
      expect(judgeLogPush(row, pushed)).toEqual({ code, effect });
    });
});

describe("T1b the cloud, one record of a push (S22, S23)", () => {
  const shared = { kind: RECORD_KINDS.preference, base: 5, writer: ME, sender: ME };
  const single = { ...shared, kind: RECORD_KINDS.session };
  test("base = version: written", () => expect(judgeRecordPush(recordRow(), shared)).toBe("OK"));
  test("base 0 and no row: written", () => expect(judgeRecordPush(null, { ...shared, base: 0 })).toBe("OK"));
  test("C098 another version: CONFLICT", () =>
    expect(judgeRecordPush(recordRow({ version: 6 }), shared)).toBe("CONFLICT"));
  test("no row where one was: CONFLICT", () => expect(judgeRecordPush(null, shared)).toBe("CONFLICT"));
  test("S22 a single-writer kind of another: FORBIDDEN", () =>
    expect(judgeRecordPush(recordRow({ writer: OTHER }), single)).toBe("FORBIDDEN"));
  test("S22 an item that another sealed: FORBIDDEN", () =>
    expect(judgeRecordPush(null, { ...single, base: 0, writer: OTHER })).toBe("FORBIDDEN"));
  test("S25 a shared item that another sealed is taken again after a restore, and only then", () => {
    expect(judgeRecordPush(recordRow(), { ...shared, writer: OTHER, again: true })).toBe("OK");
    expect(judgeRecordPush(recordRow(), { ...shared, writer: OTHER })).toBe("FORBIDDEN");
  });
  test("S25 a single-writer item that another sealed is not", () =>
    expect(judgeRecordPush(null, { ...single, base: 0, writer: OTHER, again: true })).toBe("FORBIDDEN"));
});
