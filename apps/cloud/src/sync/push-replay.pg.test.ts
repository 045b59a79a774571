import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCloudDatabase } from "../database/open-cloud-database.ts";
import { createMemoryPokeBus } from "../live/poke-bus.ts";
import { createSyncPort } from "./create-sync-port.ts";
import { feedSum } from "./feed-sum.test-kit.ts";
import {
  batchOf,
  codes,
  newId,
  openSyncStage,
  pullAll,
  type StageDevice,
  type SyncStage,
  stageDevice,
} from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

const dump = async (accountId: string) => ({
  logs: [...(await stage.sql`select * from logs where account_id = ${accountId} order by stream_id`)],
  segments: [...(await stage.sql`select * from segments where account_id = ${accountId} order by stream_id, from_seq`)],
  records: [...(await stage.sql`select * from records where account_id = ${accountId} order by kind, id`)],
  account: [...(await stage.sql`select head, sum::text from accounts where id = ${accountId}`)],
});

test("G10 C099 the same pushes again, k times, in any order and at once: the database is what it was", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 16 }),
      fc.boolean(),
      async (order, atOnce) => {
        const [device] = await stage.accountWith(1);
        if (device === undefined) throw new Error("no device");
        const streamId = newId();
        const batches = [0, 1, 2, 3].map((place) =>
          batchOf(device, {
            logs: [{ streamId, from: place * 5 + 1, events: 5, perSegment: 2 }],
            records: [{ kind: 4, id: newId() }],
          }),
        );
        for (const batch of batches) await device.port.push(device.caller, batch);
        const before = await dump(device.caller.accountId);
        expect(before.account).toEqual([{ head: 8, sum: expect.any(String) }]);
        const send = (place: number) => device.port.push(device.caller, batches[place] ?? batches[0]!);
        if (atOnce) await Promise.all(order.map(send));
        else for (const place of order) await send(place);
        expect(await dump(device.caller.accountId)).toEqual(before);
      },
    ),
    { numRuns: 12 },
  );
});

test("C099 three tries of one push at once: one is stored, the others are told the same row", async () => {
  const [device] = await stage.accountWith(1);
  if (device === undefined) throw new Error("no device");
  const batch = batchOf(device, {
    logs: [{ streamId: newId(), from: 1, events: 3 }],
    records: [{ kind: 4, id: newId() }],
  });
  const answers = await Promise.all([1, 2, 3].map(() => device.port.push(device.caller, batch)));
  expect(answers.map((answer) => codes(answer)[0])).toEqual(["OK", "OK", "OK"]);
  expect(answers.map((answer) => String(codes(answer)[1])).sort()).toEqual(["CONFLICT", "CONFLICT", "OK"]);
  const { rows, page } = await pullAll(device);
  expect([rows.length, page.head]).toEqual([2, 2]);
});

test("two servers on one database: pushes of both are one feed, and two that make one log at once agree on its writer", async () => {
  const other = await openCloudDatabase(stage.url, { connections: 4 });
  const port = createSyncPort(other.sql, { bus: createMemoryPokeBus() });
  const devices = await stage.accountWith(4);
  const through = (device: StageDevice, place: number): StageDevice =>
    place % 2 === 0 ? device : stageDevice(port, { ...device.caller, boot: device.boot, epoch: device.epoch });
  const spread = devices.map(through);
  const shared = [newId(), newId(), newId()];
  const taken = await Promise.all(
    spread.flatMap((device) => [
      // In different orders, so that rows would be locked crosswise.
      device.push({ logs: shared.map((streamId) => ({ streamId, from: 1, events: 2 })) }),
      device.push({ logs: [...shared].reverse().map((streamId) => ({ streamId, from: 1, events: 2 })) }),
      device.push({ records: [{ kind: 4, id: newId() }], logs: [{ streamId: newId(), from: 1, events: 1 }] }),
    ]),
  );
  expect(taken.flatMap(codes).every((code) => ["OK", "FENCED"].includes(code))).toBe(true);
  const [first] = devices;
  if (first === undefined) throw new Error("no device");
  const { rows, page } = await pullAll(first, 3);
  expect(rows.map((row) => row.version)).toEqual(Array.from({ length: 3 + 4 + 4 }, (_, index) => index + 1));
  expect(page.sum).toBe(feedSum(rows));
  const owned = await stage.sql`select distinct stream_id from segments where stream_id in ${stage.sql(shared)}`;
  expect(owned).toHaveLength(3);
  await other.close();
});
