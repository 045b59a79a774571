import { randomBytes, randomUUID } from "node:crypto";
import { CHAIN_START, type Cipher, chainEvents, openRecord, type ReadAccess, sealRecord } from "@codehands/vault";
import { beforeAll, expect, test } from "vitest";
import { type FoundMember, foundMember } from "../roster/found-member.test-kit.ts";
import { NODE_PORTS } from "./node-ports.ts";
import { openWholeSegment } from "./open-whole-segment.ts";
import { sealRun } from "./seal-run.ts";

const { codec, cipher } = NODE_PORTS;
const utf8 = new TextEncoder();
const at = { kind: 5, id: randomUUID() };

let found: FoundMember;
beforeAll(async () => {
  found = await foundMember();
});
const platforms = () => {
  const web = found.member.access();
  return { web, node: { ...web, ports: NODE_PORTS } };
};

async function chained(access: ReadAccess) {
  const lines = Array.from({ length: 20 }, (_, index) => `{"id":"e${index}","text":"${"x".repeat(index * 13)}"}`);
  const events = lines.map((line) => utf8.encode(line));
  const macs = await chainEvents(access, { stream: at.id, epoch: 1, before: CHAIN_START, from: 1, events });
  return lines.map((line, index) => ({
    id: `e${index}`,
    seq: index + 1,
    line,
    mac: Buffer.from(macs[index] ?? []).toString("base64url"),
  }));
}

test("§14 Node's ciphers give the bytes of WebCrypto, and each reads what the other wrote", async () => {
  const { web, node } = platforms();
  const events = await chained(web);
  expect(await chained(node)).toEqual(events);
  const prevMac = Buffer.from(CHAIN_START).toString("base64url");
  const run = { streamId: at.id, kind: 1, prevMac, events };
  for (const [seals, opens] of [
    [web, node],
    [node, web],
    [node, node],
  ] as const) {
    const [sealed] = await sealRun(seals, run);
    const body = Buffer.from(sealed ?? []).toString("base64url");
    const mac = events.at(-1)?.mac ?? "";
    const segment = { streamId: at.id, fromSeq: 1, toSeq: 20, prevMac, mac, keyId: 1, body };
    expect(await openWholeSegment(opens, segment, found.member.id)).toEqual({ ok: true, value: events });
    const record = await sealRecord(seals, { ...at, rev: 1, n: 1, body: { text: "as sealed" } });
    expect(await openRecord(opens, record.bytes, at)).toMatchObject({ value: { body: { text: "as sealed" } } });
  }
});

test("a seal with another bit anywhere does not open, and says so without throwing", async () => {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const box: Parameters<Cipher["encrypt"]>[0] = { key, nonce: randomBytes(12), aad: utf8.encode("aad") };
  const sealed = await cipher.encrypt(box, utf8.encode("as sealed"));
  expect(await cipher.decrypt(box, sealed)).toEqual(utf8.encode("as sealed"));
  for (const index of sealed.keys()) {
    const forged = sealed.map((byte, place) => (place === index ? byte ^ 1 : byte));
    expect(await cipher.decrypt(box, forged)).toBeNull();
  }
  expect(await cipher.decrypt({ ...box, aad: utf8.encode("AAD") }, sealed)).toBeNull();
});

test("what inflates beyond its limit is stopped there, and half a stream is none", async () => {
  const bomb = await codec.deflate(new Uint8Array(1_000_001));
  expect(await codec.inflate(bomb, 1_000_000)).toEqual({ ok: false, code: "TOO_LARGE" });
  expect(await codec.inflate(bomb.slice(0, -4), 2_000_000)).toEqual({ ok: false, code: "BAD_FORMAT" });
  expect(await codec.inflate(bomb, 1_000_001)).toMatchObject({ ok: true });
});
