import { randomUUID } from "node:crypto";
import { answerHello, answerPull, refusePush } from "@codehands/sync/answers";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LawfulCloud } from "./lawful-cloud.test-kit.ts";
import { type Act, act } from "./random-acts.test-kit.ts";
import { batchOf, openSyncStage, pullAll, type StageDevice, type SyncStage } from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

/** What was answered how often: a law that was never asked proves nothing. */
const asked = new Map<string, number>();
const count = (answers: readonly string[]) => answers.forEach((each) => asked.set(each, (asked.get(each) ?? 0) + 1));
/** Far below what any seed brings, so that only a law that is out of reach falls under it. */
const hardlyAsked = (answers: readonly string[]) => answers.filter((each) => (asked.get(each) ?? 0) < 3);

test("T1 T1b T1d the database judges as the law says: equal codes, rows, versions and sums, whatever is pushed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
      const devices = await stage.accountWith(2);
      const law = new LawfulCloud(devices[0]?.epoch ?? "");
      for (const each of acts) await playPush(each, devices, law);
      const [reader] = devices;
      if (reader === undefined) throw new Error("no reader");
      const { rows, page } = await pullAll(reader, 7);
      expect(rows.map(plainRow)).toEqual(law.feed());
      expect([page.head, page.sum]).toEqual([law.head, law.sum()]);
    }),
    { numRuns: 60 },
  );
  const codes = [
    "OK",
    "HAVE",
    "GONE",
    "FENCED",
    "CONFLICT",
    "FORBIDDEN",
    "boot",
    "lineage",
    "new",
    "repeat",
    "deleted",
  ];
  expect(hardlyAsked(codes)).toEqual([]);
});

async function playPush(each: Act, devices: readonly StageDevice[], law: LawfulCloud): Promise<void> {
  const device = devices[each.device];
  if (device === undefined) throw new Error("no device");
  const [epoch, boot] = [each.isOldLineage ? randomUUID() : device.epoch, each.isOldBoot ? randomUUID() : device.boot];
  const items = law.itemsOf(
    each,
    devices.map(({ caller }) => caller.deviceId),
  );
  const batch = { ...batchOf(device, items), epoch, boot, ...(each.again ? { again: true as const } : {}) };
  law.addDeletions(batch, each);
  const answer = await device.port.push(device.caller, batch);
  const reset = refusePush({ epoch: device.epoch, head: law.head, purgedTo: 0 }, { epoch, boot }, device.boot);
  if (reset !== null) {
    count([reset.reset]);
    expect(answer).toEqual(reset);
    return;
  }
  const expected = law.judge(batch, device.caller.deviceId);
  count(expected.codes);
  count(expected.effects);
  if (!("logs" in answer)) throw new Error(JSON.stringify(answer));
  const found = {
    logs: answer.logs.map(({ code, row }) => ({ code, row })),
    records: answer.records.map(({ code, row }) => ({
      code,
      row: row === null ? null : plainRow({ row: "record", ...row }),
    })),
  };
  expect(found).toEqual({ logs: expected.logs, records: expected.records });
}

/** A record's row without the cloud's clock. */
function plainRow(row: { row: "record" | "log" } & object): object {
  const { row: _row, receivedAt: _clock, ...plain } = row as { row: string; receivedAt?: string };
  return plain;
}

const boots = Array.from({ length: 4 }, () => randomUUID());
const boot = fc.constantFrom(...boots);

test("T1c the database answers every hello as the law says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          boot,
          boots: fc.array(boot, { minLength: 1, maxLength: 3 }),
          mode: fc.option(fc.constantFrom("register" as const, "adopt" as const), { nil: undefined }),
          seen: fc.option(boot, { nil: undefined }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      fc.boolean(),
      async (hellos, isRevoked) => {
        const [device] = await stage.accountWith(1);
        if (device === undefined) throw new Error("no device");
        let bootId = boots[0] ?? "";
        const revokedAt = isRevoked ? new Date() : null;
        await stage.sql`
          update devices set boot_id = ${bootId}, revoked_at = ${revokedAt} where id = ${device.caller.deviceId}`;
        for (const { boot: own, boots: known, mode, seen } of hellos) {
          const hello = { boot: own, boots: known, ...(mode && { mode }), ...(seen !== undefined && { seen }) };
          const law = answerHello({ bootId, revoked: isRevoked }, hello, device.epoch);
          count([law.reply.answer]);
          expect(await device.port.hello(device.caller, hello)).toEqual(law.reply);
          if (law.store) bootId = own;
        }
      },
    ),
    { numRuns: 40 },
  );
  expect(hardlyAsked(["OK", "COPY", "REVOKED"])).toEqual([]);
});

test("T1d the database answers every pull as the law says", async () => {
  const [device] = await stage.accountWith(1);
  if (device === undefined) throw new Error("no device");
  for (let push = 0; push < 6; push++) await device.push({ records: [{ kind: 4, id: randomUUID() }] });
  await stage.sql`update accounts set purged_to = 3 where id = ${device.caller.accountId}`;
  const number = fc.nat({ max: 8 });
  const request = fc.record({
    isOld: fc.boolean(),
    cursor: number,
    top: number,
    since: fc.option(number),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ isOld, ...rest }) => {
      const pull = { ...rest, epoch: isOld ? randomUUID() : device.epoch };
      const reset = answerPull({ epoch: device.epoch, head: 6, purgedTo: 3 }, pull);
      const reply = await device.port.pull(device.caller, pull);
      count([reset?.reset ?? "page"]);
      expect("rows" in reply ? null : reply).toEqual(reset);
    }),
    { numRuns: 200 },
  );
  expect(hardlyAsked(["page", "lineage", "purged"])).toEqual([]);
});
