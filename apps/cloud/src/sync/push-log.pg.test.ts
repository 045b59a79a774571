import { afterAll, beforeAll, expect, test } from "vitest";
import { macAt, makeLog } from "./sealed-items.test-kit.ts";
import { codes, logRow, newId, openSyncStage, pageOf, pullAll, type SyncStage, stored } from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

const one = async () => {
  const [device] = await stage.accountWith(1);
  if (device === undefined) throw new Error("no device");
  return { device, streamId: newId() };
};
const two = async () => {
  const [a, b] = await stage.accountWith(2);
  if (a === undefined || b === undefined) throw new Error("no devices");
  return { a, b, streamId: newId() };
};
const rangesOf = async (streamId: string) =>
  (
    await stage.sql<{ from_seq: number; to_seq: number }[]>`
    select from_seq, to_seq from segments where stream_id = ${streamId} order by from_seq`
  ).map((row) => [row.from_seq, row.to_seq]);

test("T1 none, from = 1: the log is made with its writer, epoch and kind, and the events are there", async () => {
  const { device, streamId } = await one();
  const answer = await device.push({ logs: [{ streamId, from: 1, events: 10, perSegment: 4, kind: 2 }] });
  expect(codes(answer)).toEqual(["OK"]);
  expect(logRow(answer)).toEqual({
    streamId,
    kind: 2,
    writer: device.caller.deviceId,
    writerEpoch: 1,
    lastSeq: 10,
    tailMac: macAt(streamId, 10).toString("base64url"),
    version: 1,
    deleted: false,
  });
  expect(await rangesOf(streamId)).toEqual([
    [1, 4],
    [5, 8],
    [9, 10],
  ]);
});

test("T1 none, from > 1: HAVE without a row, and nothing is kept", async () => {
  const { device, streamId } = await one();
  const answer = await device.push({ logs: [{ streamId, from: 5, events: 3 }] });
  expect([codes(answer), logRow(answer)]).toEqual([["HAVE"], null]);
  expect(await rangesOf(streamId)).toEqual([]);
  expect((await pullAll(device)).rows).toEqual([]);
});

test("T1 deleted, any: GONE with the row, also for the writer", async () => {
  const { device, streamId } = await one();
  await device.push({ logs: [{ streamId, from: 1, events: 2 }] });
  const deletion = {
    streamId,
    kind: 1,
    writerEpoch: 1,
    from: 3,
    lens: [],
    prevMac: macAt(streamId, 2).toString("base64url"),
    mac: macAt(streamId, 2).toString("base64url"),
    deleted: true as const,
  };
  expect(codes(await device.push({}, { logs: [deletion] }))).toEqual(["OK"]);
  const again = await device.push({ logs: [{ streamId, from: 3, events: 1 }] });
  expect(codes(again)).toEqual(["GONE"]);
  expect(logRow(again)).toMatchObject({ deleted: true, lastSeq: 2, version: 2 });
  expect(codes(await device.push({ logs: [{ streamId, from: 1, events: 1 }] }))).toEqual(["GONE"]);
});

test("T1 another writer or a lower epoch: FENCED with the row, and a new epoch of another device is no takeover", async () => {
  const { a, b, streamId } = await two();
  await a.push({ logs: [{ streamId, from: 1, events: 2, writerEpoch: 3 }] });
  for (const writerEpoch of [3, 4]) {
    const answer = await b.push({ logs: [{ streamId, from: 3, events: 1, writerEpoch }] });
    expect(codes(answer)).toEqual(["FENCED"]);
    expect(logRow(answer)).toMatchObject({ writer: a.caller.deviceId, lastSeq: 2 });
  }
  expect(codes(await a.push({ logs: [{ streamId, from: 3, events: 1, writerEpoch: 2 }] }))).toEqual(["FENCED"]);
  expect(await rangesOf(streamId)).toEqual([[1, 2]]);
});

test("T1 a higher epoch is FENCED for its own writer as well: nothing raises it (V20)", async () => {
  const { device, streamId } = await one();
  await device.push({ logs: [{ streamId, from: 1, events: 2 }] });
  const answer = await device.push({ logs: [{ streamId, from: 3, events: 1, writerEpoch: 2 }] });
  expect([codes(answer), logRow(answer)]).toEqual([
    ["FENCED"],
    expect.objectContaining({ writerEpoch: 1, lastSeq: 2 }),
  ]);
});

test("T1 deleted by its writer: segments go, the row stays with a new version (S21), and segments answer gone", async () => {
  const { device, streamId } = await one();
  await device.push({ logs: [{ streamId, from: 1, events: 4 }] });
  const mac = macAt(streamId, 4).toString("base64url");
  const answer = await device.push(
    {},
    { logs: [{ streamId, kind: 1, writerEpoch: 1, from: 5, lens: [], prevMac: mac, mac, deleted: true }] },
  );
  expect(logRow(answer)).toMatchObject({ deleted: true, lastSeq: 4, version: 2 });
  expect(await rangesOf(streamId)).toEqual([]);
  expect(await device.port.segments(device.caller, { streamId, after: 0, limit: 10 })).toEqual({ gone: true });
});

test("T1 from = last + 1 and the chain fits: appended with a new version", async () => {
  const { device, streamId } = await one();
  await device.push({ logs: [{ streamId, from: 1, events: 2 }] });
  const answer = await device.push({ logs: [{ streamId, from: 3, events: 5 }] });
  expect([codes(answer), logRow(answer)]).toEqual([["OK"], expect.objectContaining({ lastSeq: 7, version: 2 })]);
  expect(await rangesOf(streamId)).toEqual([
    [1, 2],
    [3, 7],
  ]);
});

test("T1 to = last and the same tail: a repeat is OK and changes nothing", async () => {
  const { device, streamId } = await one();
  const items = { logs: [{ streamId, from: 1, events: 6, perSegment: 2 }] };
  await device.push(items);
  const repeat = await device.push(items);
  expect([codes(repeat), logRow(repeat)?.version]).toEqual([["OK"], 1]);
  // Cut in another way, it is the same.
  expect(codes(await device.push({ logs: [{ streamId, from: 3, events: 4 }] }))).toEqual(["OK"]);
  expect(await rangesOf(streamId)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test("T1 everything else: HAVE with the row (S13): a gap, an inner range, another history at the end", async () => {
  const { device, streamId } = await one();
  await device.push({ logs: [{ streamId, from: 1, events: 6 }] });
  for (const log of [
    { streamId, from: 9, events: 1 },
    { streamId, from: 1, events: 4 },
    { streamId, from: 7, events: 1, history: "another" },
    { streamId, from: 1, events: 6, history: "another" },
    { streamId, from: 1, events: 9 },
  ]) {
    const answer = await device.push({ logs: [log] });
    expect([codes(answer), logRow(answer)?.lastSeq]).toEqual([["HAVE"], 6]);
  }
  expect(await rangesOf(streamId)).toEqual([[1, 6]]);
});

test("T1 is judged for each log alone: a refused one does not hold the others back", async () => {
  const { a, b, streamId } = await two();
  await a.push({ logs: [{ streamId, from: 1, events: 1 }] });
  const streams = [newId(), streamId, newId()];
  const answer = await b.push({ logs: streams.map((each) => ({ streamId: each, from: 1, events: 2 })) });
  expect(codes(answer)).toEqual(["OK", "FENCED", "OK"]);
  expect(stored(answer).logs.map((log) => log.row?.streamId)).toEqual(streams);
  const page = pageOf(await a.pull(1));
  expect(page.rows.map((row) => row.version)).toEqual([2, 3]);
  expect(page.head).toBe(3);
});

test("a request that its own sealed headers contradict is RANGE, and nothing of it is kept", async () => {
  const { a, b, streamId } = await two();
  const foreign = await b.push({ logs: [{ streamId, from: 1, events: 2, writer: a.caller.deviceId }] });
  expect([codes(foreign), logRow(foreign)]).toEqual([["RANGE"], null]);
  const log = makeLog({ writer: b.caller.deviceId, streamId, from: 1, events: 4, perSegment: 2 });
  const send = (changed: object, blob = log.blob) =>
    b.push({}, { logs: [{ ...log.log, ...changed }], blob: blob.toString("base64url") });
  for (const changed of [
    { streamId: newId() },
    { writerEpoch: 2 },
    { from: 2 },
    { mac: macAt(streamId, 3).toString("base64url") },
    { lens: [log.blob.length] },
    { lens: [] },
    { kind: 9 },
  ])
    expect([changed, codes(await send(changed))]).toEqual([changed, ["RANGE"]]);
  expect(codes(await send({}, log.blob.subarray(1)))).toEqual(["RANGE"]);
  expect(await rangesOf(streamId)).toEqual([]);
  expect(codes(await send({}))).toEqual(["OK"]);
});
