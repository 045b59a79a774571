import { RECORD_KINDS } from "@codehands/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemMac } from "./item-mac.ts";
import { makeRecord } from "./sealed-items.test-kit.ts";
import {
  codes,
  newId,
  openSyncStage,
  pageOf,
  pullAll,
  recordRow,
  type StageDevice,
  type SyncStage,
  stored,
} from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

async function two(): Promise<{ a: StageDevice; b: StageDevice }> {
  const [a, b] = await stage.accountWith(2);
  if (a === undefined || b === undefined) throw new Error("no devices");
  return { a, b };
}
const KIND = RECORD_KINDS;

test("T1b another writer on a single-writer kind (S22): FORBIDDEN with the cloud's row; a shared kind is anyone's", async () => {
  const { a, b } = await two();
  for (const kind of [KIND.session, KIND.command, KIND.outcome, KIND.change, KIND.note, KIND.packet]) {
    const id = newId();
    expect(codes(await a.push({ records: [{ kind, id }] }))).toEqual(["OK"]);
    const base = pageOf(await a.pull()).head;
    const answer = await b.push({ records: [{ kind, id, base, rev: 2 }] });
    expect([kind, codes(answer), recordRow(answer)?.writer]).toEqual([kind, ["FORBIDDEN"], a.caller.deviceId]);
  }
  for (const kind of [KIND.repo, KIND.task, KIND.preference]) {
    const id = newId();
    const first = await a.push({ records: [{ kind, id }] });
    const answer = await b.push({ records: [{ kind, id, base: recordRow(first)?.version ?? 0, rev: 2 }] });
    expect([kind, codes(answer), recordRow(answer)?.writer]).toEqual([kind, ["OK"], b.caller.deviceId]);
  }
});

test("T1b a device record is the device's own, from its first write on", async () => {
  const { a, b } = await two();
  expect(codes(await b.push({ records: [{ kind: KIND.device, id: a.caller.deviceId }] }))).toEqual(["FORBIDDEN"]);
  expect(codes(await a.push({ records: [{ kind: KIND.device, id: a.caller.deviceId }] }))).toEqual(["OK"]);
});

test("T1b base ≠ version (C098): of two devices that write on one base, the second gets CONFLICT with the first's row", async () => {
  const { a, b } = await two();
  const id = newId();
  const base = recordRow(await a.push({ records: [{ kind: KIND.task, id }] }))?.version ?? 0;
  const write = (device: StageDevice) => device.push({ records: [{ kind: KIND.task, id, base, rev: 2 }] });
  const answers = await Promise.all([write(a), write(b)]);
  expect(answers.flatMap(codes).sort()).toEqual(["CONFLICT", "OK"]);
  const winner = answers.find((answer) => codes(answer)[0] === "OK");
  const loser = answers.find((answer) => codes(answer)[0] === "CONFLICT");
  if (winner === undefined || loser === undefined) throw new Error("no winner");
  expect(recordRow(loser)).toEqual(recordRow(winner));
});

test("T1b base for a record that is not there: CONFLICT without a row", async () => {
  const { a } = await two();
  const answer = await a.push({ records: [{ kind: KIND.task, id: newId(), base: 7 }] });
  expect([codes(answer), recordRow(answer)]).toEqual([["CONFLICT"], null]);
});

test("T1b else: written with what its sealed header says, and the item comes back byte for byte", async () => {
  const { a } = await two();
  const record = makeRecord({ writer: a.caller.deviceId, kind: KIND.session, id: newId(), rev: 9, bytes: 5_000 });
  const answer = await a.push({}, { records: [record] });
  const row = recordRow(answer);
  expect(row).toMatchObject({
    kind: KIND.session,
    id: record.id,
    rev: 9,
    keyId: 1,
    version: 1,
    deleted: false,
    body: record.body,
  });
  expect(row?.mac).toBe(itemMac(Buffer.from(record.body, "base64url")).toString("base64url"));
  expect((await pullAll(a)).rows).toEqual([{ row: "record", ...row }]);
});

test("S23 a lost answer: the same item again conflicts with a row of the same mac, so the device sees that it was its own", async () => {
  const { a } = await two();
  const record = makeRecord({ writer: a.caller.deviceId, kind: KIND.task, id: newId() });
  const first = await a.push({}, { records: [record] });
  const again = await a.push({}, { records: [record] });
  expect(codes(again)).toEqual(["CONFLICT"]);
  expect(recordRow(again)).toEqual(recordRow(first));
});

test("S23 other rows of the push go on; S6 versions have no order but the push's own", async () => {
  const { a, b } = await two();
  const taken = newId();
  await b.push({ records: [{ kind: KIND.session, id: taken }] });
  const ids = [newId(), newId()];
  const answer = await a.push({
    records: [
      { kind: KIND.task, id: ids[0] ?? "" },
      { kind: KIND.session, id: taken, base: 1 },
      { kind: 77, id: newId() },
      { kind: KIND.task, id: ids[1] ?? "" },
    ],
  });
  expect(codes(answer)).toEqual(["OK", "FORBIDDEN", "UNKNOWN_KIND", "OK"]);
  expect(stored(answer).records.map((each) => each.row?.version)).toEqual([2, 1, undefined, 3]);
});

test("S26 what a pull cannot change is refused by itself: size, kind, and a header that says something else", async () => {
  const { a } = await two();
  const id = newId();
  const good = makeRecord({ writer: a.caller.deviceId, kind: KIND.task, id });
  const codeOf = async (record: typeof good) => codes(await a.push({}, { records: [record] }));
  expect(await codeOf({ ...good, kind: KIND.repo })).toEqual(["UNKNOWN_KIND"]);
  expect(await codeOf({ ...good, id: newId() })).toEqual(["UNKNOWN_KIND"]);
  expect(await codeOf({ ...good, body: good.body.slice(4) })).toEqual(["UNKNOWN_KIND"]);
  const large = makeRecord({ writer: a.caller.deviceId, kind: KIND.task, id, bytes: 300 * 1024 });
  expect(await codeOf(large)).toEqual(["TOO_LARGE"]);
  expect(await codeOf(good)).toEqual(["OK"]);
});

test("one record twice in a push: the second conflicts, since its base is not right any more", async () => {
  const { a } = await two();
  const id = newId();
  const answer = await a.push({
    records: [
      { kind: KIND.task, id },
      { kind: KIND.task, id, rev: 2 },
    ],
  });
  expect(codes(answer)).toEqual(["OK", "CONFLICT"]);
});

test("T5 a claim is the making of the outcome: with base 0 one of any number gets it, the sender cannot write it later", async () => {
  const { a, b } = await two();
  const id = newId();
  await a.push({ records: [{ kind: KIND.command, id }] });
  const claim = () => b.push({ records: [{ kind: KIND.outcome, id }] });
  const answers = await Promise.all([claim(), claim(), claim()]);
  expect(answers.flatMap(codes).sort()).toEqual(["CONFLICT", "CONFLICT", "OK"]);
  const version = answers.map((answer) => recordRow(answer)?.version)[0] ?? 0;
  expect(codes(await a.push({ records: [{ kind: KIND.outcome, id, base: version, rev: 2 }] }))).toEqual(["FORBIDDEN"]);
  expect(codes(await b.push({ records: [{ kind: KIND.outcome, id, base: version, rev: 2 }] }))).toEqual(["OK"]);
});

test("T5 pending: the cloud's two clocks of one answer tell the age of a command, whatever the devices' clocks say", async () => {
  const { a, b } = await two();
  const id = newId();
  await a.push({ records: [{ kind: KIND.command, id }] });
  await stage.sql`update records set received_at = received_at - interval '25 hours' where id = ${id}`;
  const page = pageOf(await b.pull());
  const [row] = page.rows;
  if (row?.row !== "record") throw new Error("no record");
  const hours = (Date.parse(page.now) - Date.parse(row.receivedAt)) / 3_600_000;
  expect(hours).toBeGreaterThan(24.9);
  expect(hours).toBeLessThan(25.1);
});

test("T5 withdrawn: the sender's deletion of its command reaches the target in the same round as the command's end", async () => {
  const { a, b } = await two();
  const id = newId();
  const base = recordRow(await a.push({ records: [{ kind: KIND.command, id }] }))?.version ?? 0;
  expect(codes(await a.push({ records: [{ kind: KIND.command, id, base, rev: 2, deleted: true }] }))).toEqual(["OK"]);
  // The claim's own answer brings the page that shows it.
  const claimed = stored(await b.push({ records: [{ kind: KIND.outcome, id }] }));
  expect(claimed.page?.rows).toContainEqual(expect.objectContaining({ kind: KIND.command, id, deleted: true, rev: 2 }));
});

test("V12 anything new under an older key epoch is STALE_EPOCH and nothing is kept; sealed before a restore it is taken", async () => {
  const { a, b } = await two();
  await stage.sql`update accounts set key_epoch = 2, roster_seq = 4 where id = ${a.caller.accountId}`;
  const id = newId();
  const batch = {
    records: [
      { kind: KIND.task, id, keyEpoch: 2 },
      { kind: KIND.task, id: newId(), keyEpoch: 1 },
    ],
  };
  expect(await a.push(batch)).toEqual({ refused: "STALE_EPOCH", rosterSeq: 4 });
  expect((await pullAll(a)).rows).toEqual([]);
  expect(codes(await a.push(batch, { again: true }))).toEqual(["OK", "OK"]);
  expect(codes(await a.push({ logs: [{ streamId: newId(), from: 1, events: 1, keyEpoch: 2 }] }))).toEqual(["OK"]);
  // S25: another device's shared record goes back as it was sealed, a single-writer kind does not.
  const foreign = (kind: number) =>
    b.push({ records: [{ kind, id: newId(), writer: a.caller.deviceId }] }, { again: true });
  expect(codes(await foreign(KIND.task))).toEqual(["OK"]);
  expect(codes(await foreign(KIND.session))).toEqual(["FORBIDDEN"]);
});
