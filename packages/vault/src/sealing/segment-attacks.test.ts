import { beforeAll, describe, expect, test } from "vitest";
import { toHex, utf8 } from "../bytes/text.ts";
import { outcomeOf } from "../outcome.ts";
import { buildWorld, codeOf, eventLine, idOf, must, type World, type WorldDevice } from "../vault-world.test-kit.ts";
import { CHAIN_START } from "./event-chain.ts";
import { type SegmentHeader, splitItem, writeHeader } from "./header.ts";
import { LOG_START, type LogPosition } from "./place-segment.ts";
import { sealItem } from "./seal-item.ts";
import { openSegment, openSegmentBefore, type SealedSegment, type SegmentPlan, sealSegment } from "./segment.ts";
import { webCodec } from "./web-ports.ts";

let w: World;
let stream: string;
let whole: SealedSegment;
const events = [1, 2, 3, 4].map((seq) => eventLine(seq));

const seal = (more: Partial<SegmentPlan> = {}, device: WorldDevice = w.laptop, roster = w.three) =>
  sealSegment(w.access(device, roster), { stream, writerEpoch: 1, from: 1, before: CHAIN_START, events, ...more });

/** What the log's reader says: it holds `held` and, by `chain`, the values before. */
const open = (item: Uint8Array, held: LogPosition = LOG_START, chain: readonly Uint8Array[] = []) =>
  openSegment({ roster: w.three, keys: w.keys }, item, {
    stream,
    writer: w.laptop.id,
    held,
    chainAt: (seq) => chain[seq - 1] ?? null,
  });
const at = (last: number, tail: Uint8Array, writerEpoch = 1): LogPosition => ({ writerEpoch, last, tail });
const flip = (item: Uint8Array, bit: number): Uint8Array => {
  const changed = item.slice();
  const byte = Math.floor(bit / 8);
  changed[byte] = (changed[byte] ?? 0) ^ (1 << (bit % 8));
  return changed;
};

beforeAll(async () => {
  w = await buildWorld();
  stream = await idOf("session");
  whole = await seal();
});

describe("segments under attack by a cloud", () => {
  test("V15 every single flipped bit is refused", async () => {
    const codes = new Set<string>();
    for (let bit = 0; bit < whole.bytes.length * 8; bit++) codes.add(codeOf(await open(flip(whole.bytes, bit))));
    expect([...codes].sort()).toEqual(["BAD_SIGNATURE", "UNKNOWN_DEVICE", "UNKNOWN_FORMAT"]);
    expect(codeOf(await open(whole.bytes))).toBe("ok");
  });

  test("V15 every cut is refused, at either end, and so is whatever is appended", async () => {
    for (let length = 0; length < whole.bytes.length; length++) {
      expect(codeOf(await open(whole.bytes.slice(0, length)))).not.toBe("ok");
      expect(codeOf(await open(whole.bytes.slice(whole.bytes.length - length)))).not.toBe("ok");
    }
    expect(codeOf(await open(Uint8Array.from([...whole.bytes, 0])))).toBe("BAD_SIGNATURE");
    expect(codeOf(await open(new Uint8Array(2_000_000)))).toBe("TOO_LARGE");
  });

  test("V19 any cutting into segments gives one chain", async () => {
    const one = await seal({ events: events.slice(0, 1) });
    const rest = await seal({ from: 2, before: one.header.after, events: events.slice(1) });
    expect(rest.header.after).toEqual(whole.header.after);
    expect([...one.values, ...rest.values].map(toHex)).toEqual(whole.values.map(toHex));
  });

  test("V19 an owner that kept its chain values seals the same; wrong ones are refused by every reader", async () => {
    const kept = await seal({ values: whole.values });
    expect(kept.header).toEqual(whole.header);
    expect(must(await open(kept.bytes)).values).toEqual(whole.values);
    const wrong = [...whole.values.slice(0, 3), CHAIN_START];
    expect(codeOf(await open((await seal({ values: wrong })).bytes))).toBe("FORK");
    expect(codeOf(await outcomeOf(() => seal({ values: whole.values.slice(1) })))).toBe("BAD_FORMAT");
  });

  test("V20 dropped, reordered, repeated with other events, spliced", async () => {
    const first = await seal({ events: events.slice(0, 2) });
    const second = await seal({ from: 3, before: first.header.after, events: events.slice(2) });
    const held = at(2, first.header.after);
    expect(codeOf(await open(second.bytes))).toBe("GAP");
    expect(must(await open(second.bytes, held, first.values)).events).toEqual(events.slice(2));
    const spliced = await seal({ from: 3, before: CHAIN_START, events: events.slice(2) });
    expect(codeOf(await open(spliced.bytes, held, first.values))).toBe("FORK");
    const other = await seal({ events: [eventLine(1), eventLine(9)] });
    expect(codeOf(await open(other.bytes, held, first.values))).toBe("FORK");
    const startsOther = await seal({ from: 2, before: other.header.after, events: events.slice(1) });
    expect(codeOf(await open(startsOther.bytes, held, first.values))).toBe("FORK");
    const beginsWrong = await seal({ before: first.header.after });
    expect(codeOf(await open(beginsWrong.bytes))).toBe("FORK");
  });

  test("V20 a repeat is ignored, and of an overlap only what is new is given", async () => {
    const repeat = must(await open(whole.bytes, at(4, whole.header.after), whole.values));
    expect(repeat.events).toEqual([]);
    const overlap = must(await open(whole.bytes, at(3, whole.values[2] ?? CHAIN_START), whole.values));
    expect([overlap.from, overlap.events.length, overlap.values.length]).toEqual([4, 1, 1]);
    const inside = await seal({ events: events.slice(0, 2) });
    expect(must(await open(inside.bytes, at(4, whole.header.after), whole.values)).events).toEqual([]);
    // A reader that holds the end only cannot tell a repeat from a lie: it says so.
    expect(codeOf(await open(inside.bytes, at(4, whole.header.after)))).toBe("GAP");
  });

  test("V20 a lower writer epoch is a rollback", async () => {
    expect(codeOf(await open(whole.bytes, { ...LOG_START, writerEpoch: 2 }))).toBe("ROLLBACK");
  });

  test("V20 reading backward, newest first", async () => {
    const first = await seal({ events: events.slice(0, 2) });
    const read = (item: Uint8Array, from: number, before: Uint8Array) =>
      openSegmentBefore({ roster: w.three, keys: w.keys }, item, {
        stream,
        writer: w.laptop.id,
        next: { from, before },
      });
    expect(must(await read(whole.bytes, 5, whole.header.after)).events).toEqual(events);
    expect(must(await read(first.bytes, 3, whole.values[1] ?? CHAIN_START)).events).toEqual(events.slice(0, 2));
    expect(must(await read(whole.bytes, 3, whole.values[1] ?? CHAIN_START)).events).toEqual(events.slice(0, 2));
    expect(codeOf(await read(first.bytes, 5, whole.header.after))).toBe("GAP");
    expect(codeOf(await read(whole.bytes, 5, first.header.after))).toBe("FORK");
    const wrongStart = await seal({ before: first.header.after });
    expect(codeOf(await read(wrongStart.bytes, 5, wrongStart.header.after))).toBe("FORK");
  });

  test("V15 another session's, another writer's, or a record in its place", async () => {
    expect(codeOf(await open((await seal({ stream: await idOf("other") })).bytes))).toBe("WRONG_PLACE");
    expect(codeOf(await open((await seal({}, w.desktop)).bytes))).toBe("WRONG_PLACE");
    const header = { type: "record", codec: 0, epoch: 1, writer: w.laptop.id, deleted: false } as const;
    const record = { ...header, kind: 3, id: stream, rev: 1, n: 1 };
    const sealed = await sealItem(w.access(w.laptop, w.three), record, utf8("{}"));
    expect(codeOf(await open(sealed.bytes))).toBe("WRONG_PLACE");
  });
});

describe("segments under attack by a member", () => {
  test("V15 nobody writes as somebody else", async () => {
    const asLaptop = { ...w.access(w.laptop, w.three), signKey: w.phone.keys.sign.privateKey };
    const plan = { stream, writerEpoch: 1, from: 1, before: CHAIN_START, events };
    expect(codeOf(await open((await sealSegment(asLaptop, plan)).bytes))).toBe("BAD_SIGNATURE");
  });

  test("V15 a device without the role run writes no log, a stranger nothing", async () => {
    expect(codeOf(await open((await seal({}, w.phone)).bytes))).toBe("NOT_ALLOWED");
    expect(codeOf(await open((await seal({}, w.mallory)).bytes))).toBe("UNKNOWN_DEVICE");
  });

  /** A body as a member with all keys may make it: no check of ours stands before. */
  const forge = async (body: Uint8Array, more: Partial<SegmentHeader> = {}) => {
    const header: SegmentHeader = { ...whole.header, codec: 0, ...more };
    return codeOf(await open((await sealItem(w.access(w.laptop, w.three), header, body)).bytes));
  };
  const lines = (...texts: string[]) => utf8(texts.map((line) => `${line}\n`).join(""));

  test("V15 V20 a wrong count, a missing line end, a wrong chain, a broken compression", async () => {
    const good = utf8(events.map((event) => `${new TextDecoder().decode(event)}\n`).join(""));
    expect(await forge(good)).toBe("ok");
    expect(await forge(good.slice(0, -1))).toBe("BAD_FORMAT");
    expect(await forge(lines("1", "2", "3"))).toBe("BAD_FORMAT");
    expect(await forge(lines("1", "2", "3", "4", "5"))).toBe("BAD_FORMAT");
    expect(await forge(lines("1", "2", "3", "4"))).toBe("FORK");
    expect(await forge(good, { after: CHAIN_START })).toBe("FORK");
    expect(await forge(good, { codec: 1 })).toBe("BAD_FORMAT");
    expect(await forge(good, { from: 0, to: 3 })).toBe("BAD_FORMAT");
    expect(await forge(good, { from: 4, to: 1 })).toBe("BAD_FORMAT");
  });

  test("V15 a bomb stops at 8 MiB", async () => {
    const bomb = await webCodec.deflate(new Uint8Array(9 * 1024 * 1024).fill(0x61));
    expect(bomb.length).toBeLessThan(20_000);
    expect(await forge(bomb, { codec: 1 })).toBe("TOO_LARGE");
    const most = await webCodec.deflate(new Uint8Array(8 * 1024 * 1024).fill(0x61));
    expect(await forge(most, { codec: 1 })).toBe("BAD_FORMAT");
  });

  test("V13 a header says what stands in its table", () => {
    const head = writeHeader(whole.header);
    expect(head).toHaveLength(84);
    expect(splitItem(whole.bytes).header).toEqual(whole.header);
    expect(toHex(head.slice(0, 8))).toBe("0101010000000001");
  });
});
