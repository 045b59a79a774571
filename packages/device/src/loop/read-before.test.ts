import { randomUUID } from "node:crypto";
import type { SegmentsReply } from "@codehands/api/cloud";
import type { CloudClient } from "@codehands/api/cloud-client";
import type { Segment } from "@codehands/contracts";
import { CHAIN_START, type ChainedEvent, newLog } from "@codehands/sync";
import { inspectItem, toBase64url } from "@codehands/vault";
import { expect, test } from "vitest";
import { changeStore, type FoundMember, foundMember } from "../roster/found-member.test-kit.ts";
import { sealRun } from "../sealing/seal-run.ts";
import { chainUnderNewest } from "../sealing/vault-sealing.ts";
import { type ReadingHome, readBefore } from "./read-before.ts";

/** A log of ten events in segments of three, as a cloud serves it backwards. */
async function served(change: (segments: Segment[]) => Segment[] = (segments) => segments) {
  const found = await foundMember();
  const streamId = randomUUID();
  const events = await chainOf(found, streamId);
  const segments: Segment[] = [];
  for (let at = 0; at < events.length; at += 3) {
    const prevMac = events[at - 1]?.mac ?? CHAIN_START;
    const run = { streamId, kind: 1, prevMac, events: events.slice(at, at + 3) };
    for (const bytes of await sealRun(found.member.access(), run)) segments.push(await segmentOf(streamId, bytes));
  }
  const asked: number[] = [];
  const told = change(segments);
  const home: ReadingHome = {
    member: found.member,
    options: { store: found.store },
    loop: {
      calls: {
        call: <T>(ask: (client: CloudClient) => Promise<T>): Promise<T> =>
          ask({
            sync: {
              segments: {
                query: async ({ before = 0 }: { before?: number }): Promise<SegmentsReply> => {
                  asked.push(before);
                  return { segments: told.filter(({ fromSeq }) => fromSeq < before).slice(-1) };
                },
              },
            },
          } as unknown as CloudClient),
      },
    },
  };
  const range = { streamId, writer: found.member.id };
  return { found, home, range, events, asked };
}

async function chainOf({ member }: FoundMember, streamId: string): Promise<ChainedEvent[]> {
  const waiting = Array.from({ length: 10 }, (_, at) => ({ id: `e${at + 1}`, line: `{"id":"e${at + 1}"}` }));
  const macs = await chainUnderNewest(member, { streamId, prevMac: CHAIN_START, from: 1, events: waiting });
  return waiting.map((event, at) => ({ ...event, seq: at + 1, mac: macs[at] ?? "" }));
}

async function segmentOf(streamId: string, bytes: Uint8Array): Promise<Segment> {
  const facts = await inspectItem(bytes);
  if (!facts.ok || facts.value.header.type !== "segment") throw new Error("no segment");
  const { from, to, before, after, epoch } = facts.value.header;
  const place = { streamId, fromSeq: from, toSeq: to, prevMac: toBase64url(before), mac: toBase64url(after) };
  return { ...place, keyId: epoch, body: toBase64url(bytes) };
}

test("V20 the newest events of a log are read backwards, as many as are wanted, and joined", async () => {
  const { home, range, events, asked } = await served();
  expect(await readBefore(home, { ...range, before: 11, limit: 4 })).toEqual(events.slice(6));
  expect(asked).toEqual([11, 10]);
  // From the middle of a segment, to the beginning.
  expect(await readBefore(home, { ...range, before: 6, limit: 100 })).toEqual(events.slice(0, 5));
  expect(await readBefore(home, { ...range, before: 1, limit: 100 })).toEqual([]);
});

test("V20 a hole, another history than the one that is known, and an altered segment are refused", async () => {
  const hole = await served((segments) => segments.filter(({ fromSeq }) => fromSeq !== 4));
  await expect(readBefore(hole.home, { ...hole.range, before: 11, limit: 10 })).rejects.toThrow("GAP");
  const last = await served((segments) => segments.slice(0, -1));
  await expect(readBefore(last.home, { ...last.range, before: 11, limit: 1 })).rejects.toThrow("GAP");
  const flipped = await served((segments) => segments.map((each) => ({ ...each, mac: each.prevMac })));
  await expect(readBefore(flipped.home, { ...flipped.range, before: 11, limit: 1 })).rejects.toThrow("WRONG_PLACE");
  const fork = await served();
  const log = newLog({ streamId: fork.range.streamId, kind: 1, writer: fork.range.writer });
  const row = { ...log, writerEpoch: 1, lastSeq: 10, tailMac: CHAIN_START, version: 4, deleted: false };
  await changeStore(fork.found.store, (draft) => draft.putLog({ ...log, row }));
  await expect(readBefore(fork.home, { ...fork.range, before: 11, limit: 1 })).rejects.toThrow("FORK");
  await expect(
    readBefore({ ...fork.home, member: null }, { ...fork.range, before: 2, limit: 1 }),
  ).rejects.toMatchObject({
    code: "no_account",
  });
});
