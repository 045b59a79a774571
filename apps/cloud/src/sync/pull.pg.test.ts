import { RECORD_KINDS } from "@codehands/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feedSum } from "./feed-sum.test-kit.ts";
import { beginNewLineages, noticeRestore } from "./lineage.ts";
import { purgeTombstones } from "./purge-tombstones.ts";
import { macAt } from "./sealed-items.test-kit.ts";
import {
  newId,
  openSyncStage,
  pageOf,
  pullAll,
  recordRow,
  type StageDevice,
  type SyncStage,
} from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

async function device(): Promise<StageDevice> {
  const [one] = await stage.accountWith(1);
  if (one === undefined) throw new Error("no device");
  return one;
}
const task = (more: object = {}) => ({ kind: RECORD_KINDS.task, id: newId(), ...more });
const log = (events = 1) => ({ streamId: newId(), from: 1, events });

test("S7 every limit shows every row once, in the order of versions, records and logs mixed", async () => {
  const one = await device();
  for (let round = 0; round < 4; round++) await one.push({ logs: [log(), log()], records: [task(), task(), task()] });
  const whole = await pullAll(one, 1_000);
  expect(whole.rows.map((row) => row.version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  for (const limit of [1, 2, 3, 7, 19, 20, 21]) expect((await pullAll(one, limit)).rows).toEqual(whole.rows);
});

test("S7 a page ends before it grows too large, and always has a row", async () => {
  const one = await device();
  for (let round = 0; round < 8; round++)
    await one.push({ records: Array.from({ length: 3 }, () => task({ bytes: 250 * 1024 })) });
  const first = pageOf(await one.pull());
  expect(first.rows.length).toBeGreaterThan(5);
  expect(first.rows.length).toBeLessThan(24);
  expect([first.more, first.next, first.sum]).toEqual([true, first.rows.length, undefined]);
  expect((await pullAll(one)).rows).toHaveLength(24);
});

test("an empty feed is a page at head 0", async () => {
  const one = await device();
  expect(await one.pull()).toMatchObject({
    from: 0,
    rows: [],
    next: 0,
    more: false,
    head: 0,
    sum: "0000000000000000",
    rosterSeq: -1,
  });
});

test("S11 the sum at head is the sum of the rows that were shown, after writes, edits, deletions and repeats", async () => {
  const one = await device();
  const kept = task();
  const streamId = newId();
  const check = async () => {
    const { rows, page } = await pullAll(one, 3);
    const newest = new Map(rows.map((row) => [row.row === "log" ? row.streamId : `${row.kind}:${row.id}`, row]));
    expect(page.sum).toBe(feedSum([...newest.values()]));
    return page.sum;
  };
  let base =
    recordRow(await one.push({ logs: [{ streamId, from: 1, events: 3 }], records: [kept, task(), task()] }))?.version ??
    0;
  await check();
  base = recordRow(await one.push({ records: [{ ...kept, base, rev: 2 }] }))?.version ?? 0;
  await one.push({ logs: [{ streamId, from: 4, events: 3 }, log(2)] });
  const before = await check();
  await one.push({ logs: [{ streamId, from: 4, events: 3 }], records: [{ ...kept, base: 1 }] });
  expect(await check()).toBe(before);
  base = recordRow(await one.push({ records: [{ ...kept, base, rev: 3, deleted: true }] }))?.version ?? 0;
  await check();
  const mac = macAt(streamId, 6).toString("base64url");
  await one.push(
    {},
    { logs: [{ streamId, kind: 1, writerEpoch: 1, from: 7, lens: [], prevMac: mac, mac, deleted: true }] },
  );
  await check();
  // A tombstone comes back to life.
  await one.push({ records: [{ ...kept, base, rev: 4 }] });
  expect(await check()).not.toBe("0000000000000000");
});

test("S9 a restored cloud: every account begins a new lineage, and the next pull and push say so", async () => {
  const one = await device();
  await one.push({ records: [task()] });
  expect(await beginNewLineages(stage.sql)).toBeGreaterThan(0);
  const reset = await one.pull(1);
  expect(reset).toEqual({ reset: "lineage", epoch: expect.not.stringMatching(one.epoch) });
  expect(await one.push({ records: [task()] })).toEqual(reset);
  const boots = { boot: one.boot, boots: [one.boot] };
  expect(await one.port.hello(one.caller, boots)).toEqual({ answer: "OK", epoch: (reset as { epoch: string }).epoch });
});

test("a database that was read back into another server is noticed at the start, the same server is not", async () => {
  const one = await device();
  expect(await noticeRestore(stage.sql)).toBe(false);
  expect(await noticeRestore(stage.sql)).toBe(false);
  expect(await one.pull()).toHaveProperty("rows");
  await stage.sql`update cloud_meta set value = '6912345678901234567/1' where key = 'place'`;
  expect(await Promise.all([noticeRestore(stage.sql), noticeRestore(stage.sql)])).toContain(true);
  expect(await one.pull()).toHaveProperty("reset", "lineage");
});

test("S12 old tombstones go, log rows of deleted sessions stay, and whoever slept through it starts over", async () => {
  const one = await device();
  const [old, young, alive] = [task(), task(), task()];
  await one.push({ records: [old, young, alive] });
  await one.push({
    records: [
      { ...old, base: 1, rev: 2, deleted: true },
      { ...young, base: 2, rev: 2, deleted: true },
    ],
  });
  const streamId = newId();
  await one.push({ logs: [{ streamId, from: 1, events: 1 }] });
  const mac = macAt(streamId, 1).toString("base64url");
  await one.push(
    {},
    { logs: [{ streamId, kind: 1, writerEpoch: 1, from: 2, lens: [], prevMac: mac, mac, deleted: true }] },
  );
  await stage.sql`update records set received_at = now() - interval '91 days' where id in (${old.id}, ${alive.id})`;
  expect(await purgeTombstones(stage.sql)).toBe(1);
  expect(await purgeTombstones(stage.sql)).toBe(0);
  const { rows } = await pullAll(one);
  expect(rows.map((row) => (row.row === "log" ? row.streamId : row.id))).toEqual([alive.id, young.id, streamId]);
  expect(await one.pull(3)).toEqual({ reset: "purged", epoch: one.epoch });
  expect(await one.pull(4)).toHaveProperty("rows");
  // A push of such a device is answered without a page (T1d).
  expect(await one.push({ records: [task()] }, { cursor: 3, since: 3 })).not.toHaveProperty("page");
  expect(await one.push({ records: [task()] }, { cursor: 4, since: 4 })).toHaveProperty("page");
});

test("the page in a push's answer is a page like any other (S8), whether the device had seen everything or not", async () => {
  const [one, other] = await stage.accountWith(2);
  if (one === undefined || other === undefined) throw new Error("no devices");
  const kept = task();
  const streamId = newId();
  const pushes = [
    { records: [kept, task()], logs: [log(), { streamId, from: 1, events: 2 }] },
    { logs: [{ streamId, from: 3, events: 2 }] },
    // Refused, and repeated: nothing new.
    { records: [kept], logs: [{ streamId, from: 3, events: 2 }] },
    { records: [{ ...kept, base: 3, rev: 2, deleted: true }] },
    {},
  ];
  let head = 0;
  for (const items of pushes) {
    for (const cursor of [head, 0]) {
      const answer = await one.push(items, { cursor, since: cursor === 0 ? null : cursor });
      const { page } = answer as { page?: object };
      expect({ ...page, now: "" }).toEqual({ ...pageOf(await one.pull(cursor, { limit: 500 })), now: "" });
    }
    await other.push({ records: [task()] });
    head = pageOf(await one.pull()).head;
  }
});

test("nothing crosses accounts: the same ids in two accounts are two things, and a stranger's stream is gone (G16)", async () => {
  const [a, b] = [await device(), await device()];
  const [shared, stream] = [task(), log(2)];
  await a.push({ records: [shared], logs: [stream] });
  expect(pageOf(await b.pull()).rows).toEqual([]);
  expect(await b.port.segments(b.caller, { streamId: stream.streamId, after: 0, limit: 10 })).toEqual({ gone: true });
  await b.push({ records: [shared], logs: [stream] });
  expect((await pullAll(a)).rows).toHaveLength(2);
  expect((await pullAll(b)).rows).toHaveLength(2);
});
