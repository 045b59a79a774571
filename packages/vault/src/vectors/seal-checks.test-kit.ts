import vectors from "../../test/vault-vectors.json" with { type: "json" };
import { fromBase64url } from "../bytes/base64url.ts";
import { fromHex, fromUtf8, toHex, utf8 } from "../bytes/text.ts";
import { uuidText } from "../bytes/uuid.ts";
import { keyPairFromSeed } from "../primitives/key-pair.ts";
import { recordsDigest } from "../records/device-record.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { chainEvents } from "../sealing/event-chain.ts";
import { splitItem } from "../sealing/header.ts";
import { openRecord, sealRecord } from "../sealing/record.ts";
import { openSegment, sealSegment } from "../sealing/segment.ts";
import { inspectItem } from "../sealing/verify-item.ts";
import { must } from "../vault-world.test-kit.ts";
import { same, type VectorCheck } from "./expect-same.test-kit.ts";
import { vectorKeys } from "./key-checks.test-kit.ts";

const stream = uuidText(fromHex(vectors.keys.session));
const unsigned = (item: Uint8Array): Uint8Array => item.slice(0, -64);

/** What the laptop sealed with when an epoch was the newest. */
async function sealing(epoch: number, random: string) {
  const { keys } = await vectorKeys();
  const statements = epoch === 1 ? vectors.roster.statements.slice(0, 3) : vectors.roster.statements;
  const roster = must(await foldRoster(statements));
  const { privateKey } = await keyPairFromSeed("Ed25519", fromHex(vectors.devices[0]?.signSeed ?? ""));
  const device = vectors.devices[0]?.id ?? "";
  return { roster, keys, device, signKey: privateKey, random: () => fromHex(random) };
}

async function checkSegment(vector: (typeof vectors.segments)[number]): Promise<void> {
  const item = fromHex(vector.bytes);
  const { header } = splitItem(item);
  if (header.type !== "segment") throw new Error("not a segment");
  const events = (vector.events ?? vectors.chain.events).map(utf8);
  const access = { ...(await sealing(vector.epoch, vector.random)), compress: vector.codec === 1 };
  const { from, before, writerEpoch } = header;
  const sealed = await sealSegment(access, { stream, writerEpoch, from, before, events });
  same(sealed.header.after, fromHex(vector.after));
  // deflate may give other bytes on another platform: only the uncompressed ones are equal everywhere.
  if (vector.codec === 0) {
    same(sealed.hash, fromHex(vector.hash));
    same(unsigned(sealed.bytes), unsigned(item));
  }
  same(must(await inspectItem(item)).hash, fromHex(vector.hash));
  const held = { writerEpoch, last: from - 1, tail: before };
  const place = { stream, writer: vector.writer, held, chainAt: () => null };
  for (const bytes of [item, sealed.bytes]) {
    const opened = must(await openSegment(access, bytes, place));
    same(opened.events.map(fromUtf8), events.map(fromUtf8));
    same(opened.values.at(-1), fromHex(vector.after));
  }
}

async function checkRecord(vector: (typeof vectors.records)[number]): Promise<void> {
  const item = fromHex(vector.bytes);
  const access = await sealing(vector.epoch, vector.random);
  const id = uuidText(fromHex(vector.id));
  const { kind, rev, n, deleted = false } = vector;
  const body = JSON.parse(vector.json) as unknown;
  const sealed = await sealRecord(access, { kind, id, rev, n, deleted, body });
  same(sealed.hash, fromHex(vector.hash));
  same(unsigned(sealed.bytes), unsigned(item));
  const opened = must(await openRecord(access, item, { kind, id }));
  same(opened.body, body);
  same([opened.header.rev, opened.header.n, opened.header.deleted], [rev, n, deleted]);
  same(opened.hash, fromHex(vector.hash));
}

export const SEAL_CHECKS: readonly VectorCheck[] = [
  {
    name: "V19 the event chain",
    run: async () => {
      const access = await vectorKeys();
      const before = fromHex(vectors.chain.start);
      const events = vectors.chain.events.map(utf8);
      const values = await chainEvents(access, { stream, epoch: 1, before, from: 1, events });
      same(values.map(toHex), vectors.chain.macs);
    },
  },
  ...vectors.segments.map((vector, at) => ({
    name: `V13 V14 V15 segment ${at + 1}, codec ${vector.codec}, epoch ${vector.epoch}`,
    run: () => checkSegment(vector),
  })),
  ...vectors.records.map((vector, at) => ({
    name: `V13 V14 V15 V22 record ${at + 1}, epoch ${vector.epoch}`,
    run: () => checkRecord(vector),
  })),
  {
    name: "V23 the digest of a device's records",
    run: async () => {
      const { rows, digest } = vectors.checkpoint;
      const read = rows.map(({ kind, id, n, hash }) => ({ kind, id: uuidText(fromHex(id)), n, hash: fromHex(hash) }));
      same(fromBase64url(await recordsDigest(read)), fromHex(digest));
      same(fromBase64url(await recordsDigest(read.toReversed())), fromHex(digest));
    },
  },
];
