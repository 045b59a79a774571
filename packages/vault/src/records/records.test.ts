import { beforeAll, describe, expect, test } from "vitest";
import { toBase64url } from "../bytes/base64url.ts";
import { fromHex, utf8 } from "../bytes/text.ts";
import { CHAIN_START } from "../sealing/event-chain.ts";
import type { RecordHeader } from "../sealing/header.ts";
import { openRecord, type RecordPlan, sealRecord } from "../sealing/record.ts";
import { sealItem } from "../sealing/seal-item.ts";
import { openSegment } from "../sealing/segment.ts";
import { buildWorld, codeOf, idOf, must, type World, type WorldDevice } from "../vault-world.test-kit.ts";
import { acceptRecord, isShared, type RecordMemory } from "./accept-record.ts";
import { checkTail } from "./check-tail.ts";
import { newIncarnation, readDeviceView } from "./device-record.ts";
import { planReturn } from "./plan-return.ts";

let w: World;
let id: string;
beforeAll(async () => {
  w = await buildWorld();
  id = await idOf("record");
});

const plan = (more: Partial<RecordPlan> = {}): RecordPlan => ({ kind: 3, id, rev: 2, n: 9, body: { t: 1 }, ...more });
const write = async (more: Partial<RecordPlan> = {}, device: WorldDevice = w.laptop) => {
  const sealed = await sealRecord(w.access(device, w.three), plan(more));
  const { kind = 3 } = more;
  const { header, hash } = must(await open(sealed.bytes, { kind, id: more.id ?? id }));
  return { writer: header.writer, rev: header.rev, n: header.n, kind: header.kind, hash };
};
const open = (item: Uint8Array, place = { kind: 3, id }, roster = w.three) =>
  openRecord({ roster, keys: w.keys }, item, place);
const said = (held: RecordMemory | null, next: RecordMemory & { kind: number }): string => {
  const accepted = acceptRecord(held, next);
  return accepted.ok ? accepted.is : accepted.code;
};

describe("records", () => {
  test("V15 another id or kind than was asked for", async () => {
    const { bytes } = await sealRecord(w.access(w.laptop, w.three), plan());
    expect(must(await open(bytes)).body).toEqual({ t: 1 });
    expect(codeOf(await open(bytes, { kind: 3, id: await idOf("other") }))).toBe("WRONG_PLACE");
    expect(codeOf(await open(bytes, { kind: 4, id }))).toBe("WRONG_PLACE");
    const place = { stream: id, writer: w.laptop.id, held: { writerEpoch: 1, last: 0, tail: CHAIN_START } };
    const asSegment = await openSegment({ roster: w.three, keys: w.keys }, bytes, { ...place, chainAt: () => null });
    expect(codeOf(asSegment)).toBe("WRONG_PLACE");
  });

  test("V15 every single flipped bit of a record is refused", async () => {
    const { bytes } = await sealRecord(w.access(w.laptop, w.three), plan());
    for (let bit = 0; bit < bytes.length * 8; bit += 3) {
      const changed = bytes.slice();
      const at = Math.floor(bit / 8);
      changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8));
      expect(codeOf(await open(changed)), `bit ${bit}`).not.toBe("ok");
    }
  });

  test("V15 a removed device writes nothing in a later epoch; what it wrote before is read and marked", async () => {
    const late = await sealRecord(w.access(w.phone, w.rotated), plan());
    expect(codeOf(await open(late.bytes, undefined, w.rotated))).toBe("UNKNOWN_DEVICE");
    const early = await sealRecord(w.access(w.phone, w.three), plan());
    expect(must(await open(early.bytes, undefined, w.rotated)).removed).toMatchObject({ seq: 3, epoch: 2 });
    expect(must(await open(early.bytes)).removed).toBeNull();
  });

  test("V22 one writer, revs and counters that grow, nothing old and nothing twice", async () => {
    const held = await write();
    expect(said(null, held)).toBe("new");
    expect(said(held, held)).toBe("same");
    expect(said(held, await write({ rev: 3, n: 10 }))).toBe("new");
    expect(said(held, await write({ rev: 1, n: 5 }))).toBe("ROLLBACK");
    expect(said(held, await write({ rev: 3, n: 8 }))).toBe("ROLLBACK");
    expect(said(held, await write({ rev: 1, n: 10 }))).toBe("ROLLBACK");
    expect(said(held, await write({ body: { t: 2 } }))).toBe("FORK");
    expect(said(held, await write({ rev: 3 }))).toBe("FORK");
    expect(said(held, await write({ rev: 2, n: 10 }))).toBe("FORK");
    expect(said(held, await write({ rev: 3, n: 1 }, w.desktop))).toBe("NOT_ALLOWED");
  });

  test("V22 a shared kind has many writers: an equal rev is for the sync to decide", async () => {
    expect([2, 4, 9].map(isShared)).toEqual([true, true, true]);
    expect([1, 3, 5, 6, 7, 8, 10, 99].some(isShared)).toBe(false);
    const held = await write({ kind: 9 });
    expect(said(held, await write({ kind: 9, rev: 3, n: 1 }, w.desktop))).toBe("new");
    expect(said(held, await write({ kind: 9, rev: 2, n: 1 }, w.desktop))).toBe("new");
    expect(said(held, await write({ kind: 9, rev: 1, n: 1 }, w.desktop))).toBe("ROLLBACK");
    expect(said(held, await write({ kind: 9, rev: 2, n: 10 }))).toBe("FORK");
    expect(said(held, await write({ kind: 9, rev: 3, n: 8 }))).toBe("ROLLBACK");
  });

  test("V22 a deletion is sealed and signed, and has no body", async () => {
    const access = w.access(w.laptop, w.three);
    const deleted = await sealRecord(access, plan({ deleted: true, body: { left: 1 } }));
    const opened = must(await open(deleted.bytes));
    expect([opened.header.deleted, opened.body]).toEqual([true, {}]);
    const header: RecordHeader = { ...deleted.header };
    const forged = await sealItem(access, header, utf8('{"left":1}'));
    expect(codeOf(await open(forged.bytes))).toBe("BAD_FORMAT");
    expect(codeOf(await open((await sealItem(access, { ...header, rev: 0 }, utf8("{}"))).bytes))).toBe("BAD_FORMAT");
    expect(codeOf(await open((await sealItem(access, { ...header, n: 0 }, utf8("{}"))).bytes))).toBe("BAD_FORMAT");
    expect(codeOf(await open((await sealItem(access, { ...header, deleted: false }, utf8("{"))).bytes))).toBe(
      "BAD_FORMAT",
    );
  });

  test("V23 nobody writes another device's device record", async () => {
    const own = await sealRecord(w.access(w.laptop, w.three), plan({ kind: 1, id: w.laptop.id }));
    expect(codeOf(await open(own.bytes, { kind: 1, id: w.laptop.id }))).toBe("ok");
    const other = await sealRecord(w.access(w.phone, w.three), plan({ kind: 1, id: w.laptop.id }));
    expect(codeOf(await open(other.bytes, { kind: 1, id: w.laptop.id }))).toBe("NOT_ALLOWED");
  });

  test("V23 a device record is read strictly where the vault needs it", async () => {
    const hash = toBase64url(new Uint8Array(32));
    const view = {
      incarnation: newIncarnation(),
      roster: { seq: 3, hash },
      seen: { [id]: { n: 1, hash } },
      digest: hash,
    };
    expect(must(await readDeviceView({ ...view, name: "Laptop", agents: [] }))).toEqual(view);
    const wrong = [
      { ...view, seen: { x: { n: 1, hash } } },
      { ...view, digest: "" },
      { ...view, roster: {} },
      null,
      [],
    ];
    for (const body of wrong) expect(codeOf(await readDeviceView(body))).toBe("BAD_FORMAT");
    expect(newIncarnation()).not.toBe(newIncarnation());
  });

  test("V21 a log that does not reach what its owner signed is cut short", () => {
    const [tail, other] = [fromHex("aa".repeat(16)), fromHex("bb".repeat(16))];
    const held = { writerEpoch: 1, last: 10, tail };
    const check = (lastSeq: number, tailMac: Uint8Array, at: Uint8Array | null = null) =>
      checkTail({ lastSeq, tailMac }, held, () => at);
    expect(check(10, tail)).toEqual({ ok: true });
    expect(check(22, other)).toMatchObject({ ok: false, code: "TRUNCATED", missing: 12 });
    expect(check(10, other)).toMatchObject({ ok: false, code: "FORK" });
    expect(check(8, other, other)).toEqual({ ok: true });
    expect(check(8, other, tail)).toMatchObject({ ok: false, code: "FORK" });
    expect(checkTail({ lastSeq: 0, tailMac: CHAIN_START }, { ...held, last: 0 }, () => null)).toEqual({ ok: true });
  });

  test("V25 a database that went back is found out, and counts on above what the cloud holds", () => {
    const facts = { ownN: 9, cloudN: [3, 9], logs: [{ own: 5, cloud: 5 }], bootsFit: true };
    expect(planReturn(facts)).toEqual({ wentBack: false, lastN: 9 });
    expect(planReturn({ ...facts, cloudN: [12, 3] })).toEqual({ wentBack: true, lastN: 12 });
    expect(planReturn({ ...facts, logs: [{ own: 5, cloud: 6 }] })).toEqual({ wentBack: true, lastN: 9 });
    expect(planReturn({ ...facts, bootsFit: false })).toEqual({ wentBack: true, lastN: 9 });
    expect(planReturn({ ...facts, cloudN: [] })).toEqual({ wentBack: false, lastN: 9 });
  });
});
