import { randomUUID } from "node:crypto";
import { CHAIN_START, type ChainedEvent } from "@codehands/sync";
import { fromBase64url, inspectItem, toBase64url } from "@codehands/vault";
import { expect, test } from "vitest";
import { type FoundMember, foundMember } from "../roster/found-member.test-kit.ts";
import { openWholeSegment } from "./open-whole-segment.ts";
import { sealRun } from "./seal-run.ts";
import { chainUnderNewest } from "./vault-sealing.ts";

interface Growth {
  held?: ChainedEvent[];
  count: number;
}

/** Events that are chained under the newest epoch, behind those given. */
async function grown({ member }: FoundMember, streamId: string, { held = [], count }: Growth) {
  const from = held.length + 1;
  const events = Array.from({ length: count }, (_, at) => ({ id: `e${from + at}`, line: `{"id":"e${from + at}"}` }));
  const macs = await chainUnderNewest(member, { streamId, prevMac: held.at(-1)?.mac ?? CHAIN_START, from, events });
  return [...held, ...events.map((event, at) => ({ ...event, seq: from + at, mac: macs[at] ?? "" }))];
}

async function segmentOf(bytes: Uint8Array, streamId: string) {
  const facts = await inspectItem(bytes);
  if (!facts.ok || facts.value.header.type !== "segment") throw new Error("no segment");
  const { from, to, before, after, epoch } = facts.value.header;
  const place = { streamId, fromSeq: from, toSeq: to, prevMac: toBase64url(before), mac: toBase64url(after) };
  return { ...place, keyId: epoch, body: toBase64url(bytes) };
}

test("V12 V19 a run is sealed under the keys that chained it, one segment for each epoch, and opens whole", async () => {
  const found = await foundMember();
  const { member } = found;
  const streamId = randomUUID();
  let events = await grown(found, streamId, { count: 3 });
  await found.nextEpoch();
  events = await grown(found, streamId, { held: events, count: 2 });
  await found.nextEpoch();
  events = await grown(found, streamId, { held: events, count: 4 });
  const sealed = await sealRun(member.access(), { streamId, kind: 1, prevMac: CHAIN_START, events });
  const segments = await Promise.all(sealed.map((bytes) => segmentOf(bytes, streamId)));
  expect(segments.map(({ keyId, fromSeq, toSeq }) => [keyId, fromSeq, toSeq])).toEqual([
    [1, 1, 3],
    [2, 4, 5],
    [3, 6, 9],
  ]);
  const opened: ChainedEvent[] = [];
  for (const segment of segments) {
    const one = await openWholeSegment(member.access(), segment, member.id);
    if (!one.ok) throw new Error(one.code);
    opened.push(...one.value);
  }
  expect(opened).toEqual(events);
  // A part of it, as after a restored cloud.
  const tail = { streamId, kind: 1, prevMac: events[3]?.mac ?? "", events: events.slice(4) };
  expect(await sealRun(member.access(), tail)).toHaveLength(2);
});

test("a history that no key here chained is not sealed", async () => {
  const found = await foundMember();
  const streamId = randomUUID();
  const events = await grown(found, streamId, { count: 2 });
  const [first] = events;
  const broken = [{ ...(first as ChainedEvent), line: '{"id":"other"}' }];
  const run = { streamId, kind: 1, prevMac: CHAIN_START, events: broken };
  await expect(sealRun(found.member.access(), run)).rejects.toMatchObject({ code: "broken_store" });
});

test("V15 V20 a segment that is another one than it was called, or another writer's, is not opened", async () => {
  const found = await foundMember();
  const { member } = found;
  const streamId = randomUUID();
  const events = await grown(found, streamId, { count: 3 });
  const [bytes] = await sealRun(member.access(), { streamId, kind: 1, prevMac: CHAIN_START, events });
  const segment = await segmentOf(bytes ?? new Uint8Array(0), streamId);
  const open = (change: object, writer = member.id) =>
    openWholeSegment(member.access(), { ...segment, ...change }, writer);
  expect(await open({})).toMatchObject({ ok: true });
  for (const change of [{ fromSeq: 2 }, { toSeq: 4 }, { prevMac: segment.mac }, { mac: segment.prevMac }])
    expect(await open(change)).toMatchObject({ ok: false, code: "WRONG_PLACE" });
  expect(await open({ streamId: randomUUID() })).toMatchObject({ ok: false, code: "WRONG_PLACE" });
  expect(await open({}, randomUUID())).toMatchObject({ ok: false, code: "WRONG_PLACE" });
  const flipped = fromBase64url(segment.body);
  flipped[120] = (flipped[120] ?? 0) ^ 1;
  expect(await open({ body: toBase64url(flipped) })).toMatchObject({ ok: false, code: "BAD_SIGNATURE" });
});
