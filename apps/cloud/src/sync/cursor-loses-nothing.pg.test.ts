import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRaw } from "../database/open-cloud-database.ts";
import { feedSum } from "./feed-sum.test-kit.ts";
import { followNaive, NAIVE_CURSORS } from "./naive-cursors.test-kit.ts";
import { planPush } from "./plan-push.ts";
import { pushParameters } from "./push-parameters.ts";
import {
  batchOf,
  newId,
  openSyncStage,
  pageOf,
  pullAll,
  type StageDevice,
  type SyncStage,
} from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

async function three(): Promise<StageDevice[]> {
  return stage.accountWith(3);
}

/** Pushes in a transaction that stays open until `commit` is called. */
async function holdPush(sql: Sql, device: StageDevice, streamId: string): Promise<() => Promise<void>> {
  const planned = planPush(device.caller.deviceId, batchOf(device, { logs: [{ streamId, from: 1, events: 1 }] }));
  if (!planned.ok) throw new Error("too large");
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let pushed = () => {};
  const isPushed = new Promise<void>((resolve) => {
    pushed = resolve;
  });
  const { accountId, deviceId } = device.caller;
  const done = sql.begin(async (own) => {
    await pushParameters(
      own as unknown as Sql,
      { accountId, deviceId, epoch: device.epoch, boot: device.boot },
      planned.plan,
    );
    pushed();
    await mayCommit;
  });
  await isPushed;
  return async () => {
    commit();
    await done;
  };
}

test.each(Object.entries(NAIVE_CURSORS))(
  "C096 S6 A is slow, B is quick, a pull comes between: the cursor by %s loses exactly one row",
  async (_, naive) => {
    const sql = connectRaw(stage.url, 3);
    await sql.unsafe(naive.create);
    const reader = followNaive(sql, naive);
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let inserted = () => {};
    const isInserted = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const slow = sql.begin(async (own) => {
      await naive.insert(own, "A");
      inserted();
      await mayCommit;
    });
    await isInserted;
    await naive.insert(sql, "B");
    await reader.pull();
    commit();
    await slow;
    await reader.pull();
    expect([...reader.seen]).toEqual(["B"]);
    await sql.end();
  },
);

test("C096 S6 the same with our pushes: B waits for A's commit, and a pull at any moment misses none", async () => {
  const [a, b, reader] = await three();
  if (a === undefined || b === undefined || reader === undefined) throw new Error("no devices");
  const sql = connectRaw(stage.url, 1);
  const streams = [newId(), newId()];
  const commit = await holdPush(sql, a, streams[0] ?? "");
  let isDone = false;
  const quick = b.push({ logs: [{ streamId: streams[1] ?? "", from: 1, events: 1 }] }).then(() => {
    isDone = true;
  });
  // B stands before the account's row.
  await expect
    .poll(
      async () =>
        (
          await stage.sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        ).length,
    )
    .toBe(1);
  const between = pageOf(await reader.pull());
  expect([isDone, between.rows, between.head]).toEqual([false, [], 0]);
  await commit();
  await quick;
  const rows = pageOf(await reader.pull(between.next)).rows;
  expect(rows.map((row) => row.row === "log" && row.streamId)).toEqual(streams);
  await sql.end();
});

test("C096 G11 eight writers on one account and a reader that pulls all the time: no row is missed, no version is given twice", async () => {
  const devices = await stage.accountWith(9);
  const [reader, ...writers] = devices;
  if (reader === undefined) throw new Error("no reader");
  const seen: number[] = [];
  let cursor = 0;
  let writing = true;
  const follow = async (): Promise<void> => {
    for (;;) {
      const last = !writing;
      const page = pageOf(await reader.pull(cursor, { limit: 20 }));
      seen.push(...page.rows.map((row) => row.version));
      cursor = page.next;
      if (last && !page.more) return;
    }
  };
  const following = follow();
  await Promise.all(
    writers.map(async (writer, place) => {
      for (let round = 0; round < 12; round++) {
        const records = Array.from({ length: 3 }, () => ({ kind: 4, id: newId() }));
        await writer.push({ records, logs: place % 2 === 0 ? [{ streamId: newId(), from: 1, events: 2 }] : [] });
      }
    }),
  );
  writing = false;
  await following;
  const expected = 8 * 12 * 3 + 4 * 12;
  expect(seen).toEqual(Array.from({ length: expected }, (_, index) => index + 1));
  const { rows, page } = await pullAll(reader);
  expect(page.sum).toBe(feedSum(rows));
});
