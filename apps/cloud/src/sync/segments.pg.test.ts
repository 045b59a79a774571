import type { CompactRequest } from "@codehands/api/cloud";
import type { Segment } from "@codehands/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { macAt, makeSegment } from "./sealed-items.test-kit.ts";
import { newId, openSyncStage, pullAll, type StageDevice, type SyncStage } from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

/** A device with a log of 12 events in segments of two. */
async function withLog(): Promise<{ one: StageDevice; streamId: string }> {
  const [one] = await stage.accountWith(1);
  if (one === undefined) throw new Error("no device");
  const streamId = newId();
  await one.push({ logs: [{ streamId, from: 1, events: 12, perSegment: 2 }] });
  return { one, streamId };
}

async function read(
  one: StageDevice,
  request: { streamId: string; after?: number; before?: number; limit?: number },
): Promise<Segment[]> {
  const reply = await one.port.segments(one.caller, { limit: 100, ...request });
  if (!("segments" in reply)) throw new Error("gone");
  return reply.segments;
}
const ranges = (segments: Segment[]) => segments.map(({ fromSeq, toSeq }) => [fromSeq, toSeq]);

function compaction(
  one: StageDevice,
  streamId: string,
  range: { from: number; to: number; keyEpoch?: number },
): CompactRequest {
  const { from, to, keyEpoch } = range;
  return {
    boot: one.boot,
    streamId,
    writerEpoch: 1,
    from,
    to,
    prevMac: macAt(streamId, from - 1).toString("base64url"),
    mac: macAt(streamId, to).toString("base64url"),
    body: makeSegment({
      writer: one.caller.deviceId,
      streamId,
      from,
      to,
      ...(keyEpoch === undefined ? {} : { keyEpoch }),
    }).toString("base64url"),
  };
}

test("S19 forwards: begins with the segment that covers after + 1, for every after", async () => {
  const { one, streamId } = await withLog();
  for (let after = 0; after <= 12; after++) {
    const found = ranges(await read(one, { streamId, after }));
    expect(found[0] ?? null).toEqual(after === 12 ? null : [after - (after % 2) + 1, after - (after % 2) + 2]);
    expect(found).toHaveLength(6 - Math.floor(after / 2));
  }
  expect(ranges(await read(one, { streamId, after: 3, limit: 2 }))).toEqual([
    [3, 4],
    [5, 6],
  ]);
});

test("S19 backwards: the newest ones with a seq before it, in the order of seq", async () => {
  const { one, streamId } = await withLog();
  expect(ranges(await read(one, { streamId, before: 8, limit: 2 }))).toEqual([
    [5, 6],
    [7, 8],
  ]);
  expect(ranges(await read(one, { streamId, before: 13, limit: 1 }))).toEqual([[11, 12]]);
  expect(ranges(await read(one, { streamId, before: 2 }))).toEqual([[1, 2]]);
  expect(ranges(await read(one, { streamId, before: 1 }))).toEqual([]);
});

test("segments come as they were sealed, with the chain values at both ends", async () => {
  const { one, streamId } = await withLog();
  const [first] = await read(one, { streamId, limit: 1 });
  expect(first).toMatchObject({
    streamId,
    prevMac: macAt(streamId, 0).toString("base64url"),
    mac: macAt(streamId, 2).toString("base64url"),
    keyId: 1,
  });
  expect(Buffer.from(first?.body ?? "", "base64url").readUInt32BE(48)).toBe(2);
});

test("S20 compaction replaces what tiles exactly, keeps the log's row and version, and a repeat is OK", async () => {
  const { one, streamId } = await withLog();
  const before = (await pullAll(one)).rows;
  const request = compaction(one, streamId, { from: 3, to: 8 });
  expect(await one.port.compact(one.caller, request)).toEqual({ code: "OK" });
  expect(await one.port.compact(one.caller, request)).toEqual({ code: "OK" });
  const all = await read(one, { streamId });
  expect(ranges(all)).toEqual([
    [1, 2],
    [3, 8],
    [9, 10],
    [11, 12],
  ]);
  expect(all[1]?.body).toBe(request.body);
  expect((await pullAll(one)).rows).toEqual(before);
  // S19: a reader that stood at 4 gets the one that covers 5.
  expect(ranges(await read(one, { streamId, after: 4, limit: 1 }))).toEqual([[3, 8]]);
});

test("S20 what does not tile is RANGE: inside a segment, beyond the end, other chain values, mixed key epochs", async () => {
  const { one, streamId } = await withLog();
  await one.push({ logs: [{ streamId, from: 13, events: 2, keyEpoch: 2 }] });
  const good = compaction(one, streamId, { from: 1, to: 4 });
  const refused: CompactRequest[] = [
    compaction(one, streamId, { from: 2, to: 4 }),
    compaction(one, streamId, { from: 1, to: 5 }),
    compaction(one, streamId, { from: 11, to: 20 }),
    compaction(one, streamId, { from: 11, to: 14 }),
    compaction(one, streamId, { from: 1, to: 4, keyEpoch: 2 }),
    { ...good, mac: macAt(streamId, 6).toString("base64url") },
    { ...good, to: 6 },
    { ...good, body: good.body.slice(8) },
  ];
  for (const request of refused) expect(await one.port.compact(one.caller, request)).toEqual({ code: "RANGE" });
  expect(await read(one, { streamId })).toHaveLength(7);
});

test("S20 only the writer, under its epoch and by its process: FENCED or BOOT", async () => {
  const [a, b] = await stage.accountWith(2);
  if (a === undefined || b === undefined) throw new Error("no devices");
  const streamId = newId();
  await a.push({ logs: [{ streamId, from: 1, events: 4, perSegment: 2 }] });
  const range = { from: 1, to: 4 };
  expect(await b.port.compact(b.caller, compaction(b, streamId, range))).toEqual({ code: "FENCED" });
  expect(await a.port.compact(a.caller, compaction(a, newId(), range))).toEqual({ code: "FENCED" });
  expect(await a.port.compact(a.caller, { ...compaction(a, streamId, range), boot: newId() })).toEqual({
    reset: "boot",
  });
});

test("a compaction and a push to the same log at the same moment both count", async () => {
  const { one, streamId } = await withLog();
  const [compacted, pushed] = await Promise.all([
    one.port.compact(one.caller, compaction(one, streamId, { from: 1, to: 12 })),
    one.push({ logs: [{ streamId, from: 13, events: 3 }] }),
  ]);
  expect([compacted, "logs" in pushed && pushed.logs[0]?.code]).toEqual([{ code: "OK" }, "OK"]);
  expect(ranges(await read(one, { streamId }))).toEqual([
    [1, 12],
    [13, 15],
  ]);
});
