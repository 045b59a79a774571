import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { u32 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { fromUtf8, toHex, utf8 } from "../bytes/text.ts";
import { Keyring } from "../keys/keyring.ts";
import { outcomeOf } from "../outcome.ts";
import { sha256 } from "../primitives/hash.ts";
import { sign } from "../primitives/signing.ts";
import { plain, subtle } from "../primitives/web-crypto.ts";
import { buildWorld, codeOf, eventLine, idOf, must, type World } from "../vault-world.test-kit.ts";
import { canSeal, type WriteAccess } from "./access.ts";
import { CHAIN_START, chainEvents } from "./event-chain.ts";
import { splitItem, writeHeader } from "./header.ts";
import { paddedLength } from "./limits.ts";
import { LOG_START } from "./place-segment.ts";
import { openRecord, sealRecord } from "./record.ts";
import { openSegment, sealSegment } from "./segment.ts";
import { checkPushed, inspectItem, itemHash, itemMessage, verifyItem } from "./verify-item.ts";
import { webChain, webCipher, webCodec } from "./web-ports.ts";

let w: World;
let id: string;
beforeAll(async () => {
  w = await buildWorld();
  id = await idOf("record");
});
const refuses = async (work: () => unknown): Promise<string> => codeOf(await outcomeOf(work));
const plan = (body: unknown, more = {}) => ({ kind: 5, id, rev: 1, n: 1, body, ...more });
/** The item with another signature of its writer over what it says now. */
async function signAgain({ signKey, roster }: WriteAccess, item: Uint8Array): Promise<Uint8Array> {
  const message = itemMessage("record", roster.vault, await itemHash(item));
  return joinBytes(item.slice(0, -64), await sign(signKey, message));
}
const nonceOf = (item: Uint8Array): string => toHex(item.slice(54, 66));

describe("sealing", () => {
  test("V14 random bytes that come twice repeat no nonce for other content", async () => {
    const stuck = { ...w.access(w.laptop, w.three), random: (count: number) => new Uint8Array(count) };
    const a = await sealRecord(stuck, plan({ a: 1 }));
    const b = await sealRecord(stuck, plan({ a: 2 }));
    const again = await sealRecord(stuck, plan({ a: 1 }));
    expect(nonceOf(a.bytes)).not.toBe(nonceOf(b.bytes));
    expect(nonceOf(a.bytes)).not.toBe(nonceOf((await sealRecord(stuck, plan({ a: 1 }, { n: 2 }))).bytes));
    expect(a.hash).toEqual(again.hash);
    const free = w.access(w.laptop, w.three);
    expect((await sealRecord(free, plan({}))).hash).not.toEqual((await sealRecord(free, plan({}))).hash);
  });

  test("V14 an approval and a rejection have one length", async () => {
    const access = w.access(w.laptop, w.three);
    const approve = await sealRecord(access, plan({ kind: "approve" }));
    const reject = await sealRecord(access, plan({ kind: "reject", reason: "no".repeat(40) }));
    expect(approve.bytes).toHaveLength(reject.bytes.length);
  });

  test("V14 padding only grows, by at most 12 % above 256", () => {
    fc.assert(
      fc.property(fc.integer({ min: 257, max: 2 ** 24 }), (length) => {
        const padded = paddedLength(length);
        return padded >= length && padded <= length * 1.12 && paddedLength(padded) === padded;
      }),
    );
  });

  test("V15 padding is of zeros and exact: a member cannot hide anything in it", async () => {
    const header = {
      type: "record",
      codec: 0,
      epoch: 1,
      writer: w.laptop.id,
      deleted: false,
      kind: 3,
      id,
      rev: 1,
      n: 1,
    } as const;
    const vault = w.three.vault;
    const open = async (padded: Uint8Array) => {
      const head = writeHeader(header);
      const iv = new Uint8Array(12);
      const additionalData = plain(joinBytes(label("record"), vault, head));
      const key = await w.keys.record(1, header);
      const ct = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain(padded)));
      const signed = joinBytes(head, iv, ct);
      const message = itemMessage("record", vault, await sha256(signed));
      const item = joinBytes(signed, await sign(w.laptop.keys.sign.privateKey, message));
      return codeOf(await openRecord({ roster: w.three, keys: w.keys }, item, { kind: 3, id }));
    };
    const padded = (body: string, size: number, ...last: number[]) => {
      const bytes = new Uint8Array(size);
      bytes.set(joinBytes(u32(body.length), utf8(body)));
      bytes.set(last, size - last.length);
      return bytes;
    };
    expect(await open(padded("{}", 256))).toBe("ok");
    expect(await open(padded("{}", 256, 1))).toBe("BAD_FORMAT");
    expect(await open(padded("{}", 272))).toBe("BAD_FORMAT");
    expect(await open(joinBytes(u32(253), padded("{}", 252)))).toBe("BAD_FORMAT");
    expect(await open(joinBytes(u32(0xffff_ffff), padded("{}", 252)))).toBe("BAD_FORMAT");
  });

  test("V12 without the newest root nothing is sealed", async () => {
    const keys = new Keyring(w.rotated.vault);
    await keys.add(w.rotated, { epoch: 1, root: w.roots[0] });
    const access = { ...w.access(w.laptop, w.rotated), keys };
    expect(canSeal(access)).toBe(false);
    expect(canSeal({ roster: w.three, keys })).toBe(true);
    expect(await refuses(() => sealRecord(access, plan({})))).toBe("KEY_MISSING");
    const sealed = await sealRecord(w.access(w.laptop, w.rotated), plan({}));
    expect(sealed.header.epoch).toBe(2);
    expect(codeOf(await openRecord(access, sealed.bytes, { kind: 5, id }))).toBe("KEY_MISSING");
  });

  test("V12 V15 the cloud takes a device's own items under the newest epoch, and nothing else", async () => {
    const old = await sealRecord(w.access(w.laptop, w.three), plan({}));
    const fresh = await sealRecord(w.access(w.laptop, w.rotated), plan({}));
    const push = async (item: Uint8Array, device = w.laptop.id, again = false) =>
      codeOf(await checkPushed(w.rotated, item, { device, again }));
    expect(await push(fresh.bytes)).toBe("ok");
    expect(await push(old.bytes)).toBe("STALE_EPOCH");
    // After a restored cloud, what was sealed before comes back as it was.
    expect(await push(old.bytes, w.laptop.id, true)).toBe("ok");
    expect(await push(fresh.bytes, w.desktop.id)).toBe("NOT_ALLOWED");
    expect(await push(fresh.bytes, w.desktop.id, true)).toBe("NOT_ALLOWED");
    const shared = await sealRecord(w.access(w.laptop, w.rotated), plan({}, { kind: 9 }));
    expect(await push(shared.bytes, w.desktop.id)).toBe("NOT_ALLOWED");
    expect(await push(shared.bytes, w.desktop.id, true)).toBe("ok");
    const early = await checkPushed(w.three, fresh.bytes, { device: w.laptop.id, again: false });
    expect(codeOf(early)).toBe("KEY_MISSING");
    const gone = await sealRecord(w.access(w.phone, w.rotated), plan({}));
    expect(await push(gone.bytes, w.phone.id)).toBe("UNKNOWN_DEVICE");
    expect(await push(new Uint8Array(500))).toBe("UNKNOWN_FORMAT");
  });

  test("V14 an item's hash needs no key, and says nothing of its signature", async () => {
    const { bytes, hash } = await sealRecord(w.access(w.laptop, w.three), plan({}));
    const other = bytes.slice();
    other[bytes.length - 1] = (other[bytes.length - 1] ?? 0) ^ 1;
    expect(must(await inspectItem(bytes)).hash).toEqual(hash);
    expect(must(await verifyItem(w.three, bytes)).hash).toEqual(hash);
    expect(await itemHash(other)).toEqual(hash);
    expect(codeOf(await verifyItem(w.three, other))).toBe("BAD_SIGNATURE");
  });

  test("V13 bytes of a driver that hands out Buffers are read as all others, and are not held on to", async () => {
    const { bytes } = await sealRecord(w.access(w.laptop, w.three), plan({ a: 1 }));
    const pooled = Buffer.from(bytes);
    const opened = must(await openRecord({ roster: w.three, keys: w.keys }, pooled, { kind: 5, id }));
    expect(opened).toEqual(must(await openRecord({ roster: w.three, keys: w.keys }, bytes, { kind: 5, id })));
    const { head, signature } = splitItem(pooled);
    pooled.fill(0);
    expect([head, signature]).toEqual([bytes.slice(0, 54), bytes.slice(-64)]);
  });

  test("V17 limits: 1,000 events, 1 MiB a segment, 256 KiB a record, 8 MiB inflated", async () => {
    const access = { ...w.access(w.laptop, w.three), compress: false };
    const base = { stream: id, writerEpoch: 1, from: 1, before: CHAIN_START };
    const seal = (events: Uint8Array[], compress = false) =>
      refuses(() => sealSegment({ ...access, compress }, { ...base, events }));
    const many = Array.from({ length: 1_001 }, (_, at) => eventLine(at + 1));
    expect(await seal(many.slice(0, 1_000))).toBe("ok");
    expect(await seal(many)).toBe("TOO_LARGE");
    expect(await seal([])).toBe("BAD_FORMAT");
    expect(await seal([utf8("a\nb")])).toBe("BAD_FORMAT");
    expect(await seal([new Uint8Array(0)])).toBe("BAD_FORMAT");
    expect(await seal([new Uint8Array(1_048_575).fill(97)])).toBe("ok");
    expect(await seal([new Uint8Array(1_048_576).fill(97)])).toBe("TOO_LARGE");
    expect(await seal([new Uint8Array(8_388_607).fill(97)], true)).toBe("ok");
    expect(await seal([new Uint8Array(8_388_608).fill(97)], true)).toBe("TOO_LARGE");
    expect(await refuses(() => sealRecord(access, plan("a".repeat(262_142))))).toBe("ok");
    expect(await refuses(() => sealRecord(access, plan("a".repeat(262_143))))).toBe("TOO_LARGE");
    expect(await refuses(() => sealRecord(access, plan({}, { n: 2 ** 53 })))).toBe("BAD_FORMAT");
  });

  test("§14 ports that are given stand in for WebCrypto everywhere, and what one platform wrote another reads", async () => {
    const used = new Set<string>();
    const noting = <T extends object>(name: string, port: T): T =>
      new Proxy(port, {
        get(target, key) {
          used.add(`${name}.${String(key)}`);
          return Reflect.get(target, key) as unknown;
        },
      });
    const ports = {
      codec: noting("codec", webCodec),
      chain: noting("chain", webChain),
      cipher: noting("cipher", webCipher),
    };
    const web = w.access(w.laptop, w.three);
    const other = { ...web, ports };
    const events = Array.from({ length: 20 }, (_, at) => eventLine(at + 1, "x".repeat(at * 13)));
    const part = { stream: id, epoch: 1, before: CHAIN_START, from: 1, events };
    expect(await chainEvents(other, part)).toEqual(await chainEvents(web, part));
    const base = { stream: id, writerEpoch: 1, from: 1, before: CHAIN_START, events };
    const place = { stream: id, writer: w.laptop.id, held: LOG_START, chainAt: () => null };
    for (const [seals, opens] of [
      [web, other],
      [other, web],
    ] as const) {
      const opened = must(await openSegment(opens, (await sealSegment(seals, base)).bytes, place));
      expect(opened.events.map(fromUtf8)).toEqual(events.map(fromUtf8));
      const record = (await sealRecord(seals, plan({ text: "as sealed" }))).bytes;
      const at = { kind: 5, id };
      expect(must(await openRecord(opens, record, at)).body).toEqual({ text: "as sealed" });
      // One bit of the ciphertext's tag, one of what it is bound to: the key fits, the content does not.
      for (const bit of [record.length - 65, 60]) {
        const forged = await signAgain(
          seals,
          record.map((byte, index) => (index === bit ? byte ^ 1 : byte)),
        );
        expect(codeOf(await openRecord(opens, forged, at))).toBe("BAD_SEAL");
      }
    }
    const all = ["chain.run", "cipher.decrypt", "cipher.encrypt", "cipher.sha256", "codec.deflate", "codec.inflate"];
    expect([...used].sort()).toEqual(all);
  });
});
