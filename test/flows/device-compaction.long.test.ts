import { randomUUID } from "node:crypto";
import { RECORD_KINDS, type Segment } from "@codehands/contracts";
import { expect, test } from "vitest";
import { clientStage } from "../kit/client-devices.ts";
import { openFaultyFetch } from "../kit/faulty-fetch.ts";
import {
  appendLines,
  followOn,
  linesOn,
  pairWith,
  signUpWith,
  type TestDevice,
  writeRecord,
} from "../kit/open-client-device.ts";
import { fetchFromOwnAddress } from "../kit/open-cloud-process.ts";
import { until } from "../kit/temp-home.ts";

const stage = clientStage();

const line = (n: number): string => JSON.stringify({ id: `e${n}`, text: `line ${n}` });
const lines = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => line(from + at));

/** Writes events one by one, each in a push of its own. */
async function live(owner: TestDevice, id: string, { from, to }: { from: number; to: number }): Promise<void> {
  for (let n = from; n <= to; n++) {
    await appendLines(owner, id, [line(n)]);
    await until(() => owner.store.data.logs.get(id)?.pushedSeq === n);
  }
}

test("S20 S19 a live session of 300 pushes ends as few segments; readers in the middle and afterwards read the same", async () => {
  const net = openFaultyFetch(fetchFromOwnAddress());
  const owner = await stage.open("owner", { fetch: net.fetch });
  await signUpWith(owner, stage.cloud.url);
  const reader = await stage.open("reader");
  await pairWith(owner, reader, stage.cloud.url);
  const lateNet = openFaultyFetch(fetchFromOwnAddress());
  const seen: [number, number][] = [];
  lateNet.lie("sync.segments", (reply: { segments: Segment[] }) => {
    seen.push(...reply.segments.map(({ fromSeq, toSeq }): [number, number] => [fromSeq, toSeq]));
    return reply;
  });
  const late = await stage.open("late", { fetch: lateNet.fetch });
  await pairWith(owner, late, stage.cloud.url);
  const id = randomUUID();
  const key = { kind: RECORD_KINDS.session, id };
  await writeRecord(owner, { ...key, body: { status: "running" } });
  await live(owner, id, { from: 1, to: 150 });
  await followOn(reader, id, owner);
  await until(() => linesOn(reader, id).length === 150, 30);
  // One compaction is done and its answer lost on the way.
  net.loseAnswer("sync.compact");
  await live(owner, id, { from: 151, to: 300 });
  await writeRecord(owner, { ...key, body: { status: "approved" } });
  await until(async () => (await owner.device.sync.now()).state === "resting", 30);
  await until(() => linesOn(reader, id).length === 300, 30);
  expect(linesOn(reader, id)).toEqual(lines(1, 300));
  expect(net.calls.get("sync.compact")).toBeGreaterThan(1);

  await followOn(late, id, owner);
  await until(() => linesOn(late, id).length === 300, 30);
  expect(linesOn(late, id)).toEqual(lines(1, 300));
  expect(seen.length).toBeLessThanOrEqual(4);
  expect([seen[0]?.[0], seen.at(-1)?.[1]]).toEqual([1, 300]);
  for (const { device, faults } of [owner, reader, late]) {
    expect(await device.sync.status()).toMatchObject({ suspicions: [], refused: [] });
    expect(faults).toEqual([]);
  }
});
