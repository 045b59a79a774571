import { beforeAll, describe, expect, test } from "vitest";
import { newSecret, signChallenge, verifyChallenge } from "./auth/challenge.ts";
import { utf8 } from "./bytes/text.ts";
import { openEnvelope, sealEnvelope, sealEpochEnvelopes } from "./envelopes/seal-envelope.ts";
import { Keyring } from "./keys/keyring.ts";
import { outcomeOf } from "./outcome.ts";
import { makeOffer } from "./pairing/inviter.ts";
import { checkAppend } from "./roster/check-append.ts";
import { foldRoster } from "./roster/fold-roster.ts";
import { startEpoch } from "./roster/found-vault.ts";
import { makeStatement } from "./roster/make-statement.ts";
import { CHAIN_START } from "./sealing/event-chain.ts";
import { LOG_START } from "./sealing/place-segment.ts";
import { openRecord, sealRecord } from "./sealing/record.ts";
import { openSegment, sealSegment } from "./sealing/segment.ts";
import { checkPushed } from "./sealing/verify-item.ts";
import { AT, addOp, buildWorld, codeOf, idOf, must, type World } from "./vault-world.test-kit.ts";

let w: World;
let id: string;
beforeAll(async () => {
  w = await buildWorld();
  id = await idOf("record");
});
const record = (words: string, more = {}) => ({ kind: 3, id, rev: 1, n: 1, body: { words }, ...more });
const add = (signer = w.mallory.signer) =>
  makeStatement({ roster: w.rotated, at: AT, ops: [addOp(w.mallory, ["admin", "command", "run"])] }, signer);

describe("who can do what (§1)", () => {
  test("V14 V15 V18 the cloud, or whoever broke into it, reads nothing and forges nothing", async () => {
    const words = "a private sentence ".repeat(20);
    const sealed = await sealRecord(w.access(w.laptop, w.three), record(words));
    const envelopes = await sealEpochEnvelopes(w.rotated, [{ epoch: 2, root: w.roots[1] }], w.laptop.signer);
    const stored = JSON.stringify([w.statements, envelopes]) + String.fromCharCode(...sealed.bytes);
    expect(stored).not.toContain("private");
    const blind = new Keyring(w.three.vault);
    expect(codeOf(await openRecord({ roster: w.three, keys: blind }, sealed.bytes, { kind: 3, id }))).toBe(
      "KEY_MISSING",
    );
    expect(codeOf(await foldRoster([await add()], w.rotated))).toBe("BAD_SIGNATURE");
    // Whatever it signs, and with whatever keys, is by nobody.
    const own = { ...w.access(w.laptop, w.three), signKey: w.mallory.keys.sign.privateKey };
    const forged = await sealRecord(own, record("forged"));
    expect(codeOf(await openRecord({ roster: w.three, keys: w.keys }, forged.bytes, { kind: 3, id }))).toBe(
      "BAD_SIGNATURE",
    );
  });

  test("V15 V28 the thief of an access token stores junk that every reader refuses", async () => {
    const { bytes } = await sealRecord(w.access(w.laptop, w.rotated), record("stolen token"));
    const junk = bytes.slice();
    junk.set(utf8("junk"), 80);
    expect(codeOf(await checkPushed(w.rotated, junk, { device: w.laptop.id, again: false }))).toBe("BAD_SIGNATURE");
    expect(codeOf(await openRecord({ roster: w.rotated, keys: w.keys }, junk, { kind: 3, id }))).toBe("BAD_SIGNATURE");
    expect(codeOf(await checkAppend(w.rotated, { statement: await add(), envelopes: [] }))).toBe("BAD_SIGNATURE");
  });

  test("V7 V28 V29 the thief of a login gets no token, no key and no new device", async () => {
    const asked = { origin: "https://cloud.example", device: w.laptop.id, challenge: newSecret() };
    const signed = await signChallenge({ ...asked, vault: w.rotated.vault }, w.mallory.keys.sign.privateKey);
    expect(codeOf(await verifyChallenge(w.rotated, asked, signed))).toBe("BAD_SIGNATURE");
    const found = { pairingId: new Uint8Array(16), commit: new Uint8Array(32), qrSecret: null };
    const thief = { id: w.mallory.id, keys: w.mallory.keys, roster: w.rotated };
    expect(codeOf(await makeOffer(thief, found))).toBe("NOT_ALLOWED");
    const asRecovery = { by: "recovery", privateKey: w.mallory.signer.privateKey };
    expect(codeOf(await foldRoster([await add(asRecovery)], w.rotated))).toBe("BAD_SIGNATURE");
  });

  test("V10 V12 V15 a removed device, together with the cloud, reads what was sealed before it went and nothing later", async () => {
    const keys = new Keyring(w.rotated.vault);
    await keys.add(w.rotated, { epoch: 1, root: w.roots[0] });
    const access = { roster: w.rotated, keys };
    const before = await sealRecord(w.access(w.laptop, w.three), record("before"));
    const after = await sealRecord(w.access(w.laptop, w.rotated), record("after"));
    expect(codeOf(await openRecord(access, before.bytes, { kind: 3, id }))).toBe("ok");
    expect(codeOf(await openRecord(access, after.bytes, { kind: 3, id }))).toBe("KEY_MISSING");
    expect(codeOf(await outcomeOf(() => keys.add(w.rotated, { epoch: 2, root: w.roots[0] })))).toBe("BAD_ROOT");
    const envelopes = await sealEpochEnvelopes(w.rotated, [{ epoch: 2, root: w.roots[1] }], w.laptop.signer);
    for (const envelope of envelopes) {
      const reader = { roster: w.rotated, to: w.phone.id, agree: w.phone.keys.agree };
      expect(codeOf(await openEnvelope(envelope, reader))).toBe("WRONG_PLACE");
    }
    const late = await sealRecord({ ...w.access(w.phone, w.rotated), keys: w.keys }, record("late"));
    expect(codeOf(await openRecord({ ...access, keys: w.keys }, late.bytes, { kind: 3, id }))).toBe("UNKNOWN_DEVICE");
  });

  test("V15 V22 V7 a member with fewer roles reads, and writes nobody else's log, record or roster", async () => {
    const reading = { roster: w.three, keys: w.keys };
    const sealed = await sealRecord(w.access(w.laptop, w.three), record("for all members"));
    expect(must(await openRecord(reading, sealed.bytes, { kind: 3, id })).body).toEqual({ words: "for all members" });
    const plan = { stream: id, writerEpoch: 1, from: 1, before: CHAIN_START, events: [utf8("{}")] };
    const log = await sealSegment(w.access(w.phone, w.three), plan);
    const place = { stream: id, writer: w.phone.id, held: LOG_START, chainAt: () => null };
    expect(codeOf(await openSegment(reading, log.bytes, place))).toBe("NOT_ALLOWED");
    expect(codeOf(await checkPushed(w.three, log.bytes, { device: w.phone.id, again: false }))).toBe("NOT_ALLOWED");
    const statement = await makeStatement(
      { roster: w.three, at: AT, ops: [addOp(w.mallory, ["run"])] },
      w.phone.signer,
    );
    expect(codeOf(await foldRoster([statement], w.three))).toBe("BAD_SIGNATURE");
    const envelope = { roster: w.three, to: w.desktop.id, payload: { keys: [{ epoch: 1, root: w.roots[0] }] } };
    const reader = { roster: w.three, to: w.desktop.id, agree: w.desktop.keys.agree };
    expect(codeOf(await openEnvelope(await sealEnvelope(envelope, w.phone.signer), reader))).toBe("BAD_SIGNATURE");
  });

  test("V7 V12 the thief of an unlocked admin device has everything until another admin removes it", async () => {
    const ops = [{ op: "remove", id: w.desktop.id, cut: null } as const];
    const by = { by: w.laptop.id, keys: w.laptop.keys, at: AT };
    const { roster, root, envelopes } = await startEpoch({ ...by, roster: w.rotated, ops });
    const keys = new Keyring(roster.vault);
    await keys.add(roster, { epoch: 3, root });
    const fresh = await sealRecord({ ...w.access(w.laptop, roster), keys }, record("after the theft"));
    expect(fresh.header.epoch).toBe(3);
    expect(codeOf(await openRecord({ roster, keys: w.keys }, fresh.bytes, { kind: 3, id }))).toBe("KEY_MISSING");
    const reader = { roster, to: w.desktop.id, agree: w.desktop.keys.agree };
    for (const envelope of envelopes) expect(codeOf(await openEnvelope(envelope, reader))).not.toBe("ok");
    const ghost = await makeStatement({ roster, at: AT, ops: [addOp(w.mallory, ["admin"])] }, w.desktop.signer);
    expect(codeOf(await foldRoster([ghost], roster))).toBe("BAD_SIGNATURE");
  });
});
