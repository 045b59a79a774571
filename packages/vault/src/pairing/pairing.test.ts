import { beforeAll, describe, expect, test } from "vitest";
import { sealEnvelope } from "../envelopes/seal-envelope.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { makeStatement } from "../roster/make-statement.ts";
import {
  AT,
  addOp,
  buildWorld,
  codeOf,
  must,
  type World,
  type WorldDevice,
  worldDevice,
} from "../vault-world.test-kit.ts";
import { approveNewcomer, makeOffer, openReveal, rolesFor, shownName, typeDigits } from "./inviter.ts";
import { answerOffer, finishPairing } from "./newcomer.ts";
import { inviterOf, offerTo, pair, START, seen, start } from "./pair.test-kit.ts";
import { PAIRING_MS } from "./user-code.ts";

let w: World;
let tablet: WorldDevice;
beforeAll(async () => {
  w = await buildWorld();
  tablet = await worldDevice("tablet");
});

describe("pairing", () => {
  test("V29 V30 both sides see the same digits, and the new device gets all roots", async () => {
    const { revealed, known, redeemed, payload } = await pair(w, tablet);
    expect(revealed.digits).toBe(known.digits);
    expect(revealed.digits).toMatch(/^\d{6}$/);
    expect(known.newcomer.name).toBe("tablet");
    const joined = must(await finishPairing(revealed, redeemed));
    expect(joined.payload).toEqual(payload);
    expect([joined.letInBy, joined.askPerson]).toEqual([w.laptop.id, true]);
    expect(joined.roster.devices.get(tablet.id)?.roles).toEqual(["admin", "command", "run"]);
  });

  test("V29 only an active admin lets somebody in", async () => {
    const started = await start(tablet);
    const found = { pairingId: started.pairingId, commit: started.newcomer.commit, qrSecret: null };
    expect(codeOf(await makeOffer({ ...inviterOf(w, w.phone), roster: w.three }, found))).toBe("NOT_ALLOWED");
    expect(codeOf(await makeOffer(inviterOf(w, w.phone), found))).toBe("NOT_ALLOWED");
    expect(codeOf(await makeOffer(inviterOf(w, w.mallory), found))).toBe("NOT_ALLOWED");
  });

  test("V29 a cloud in the middle: swapped on either side, the digits differ or the commitment breaks", async () => {
    const started = await start(tablet);
    const offer = await offerTo(inviterOf(w), started);
    // The cloud as inviter towards the tablet, and as newcomer towards the laptop.
    const fake = { ...inviterOf(w), keys: w.mallory.keys };
    const toTablet = await offerTo(fake, started);
    const tabletSide = must(await answerOffer(started, seen(toTablet)));
    const mine = await start(w.mallory);
    const swapped = { newcomer: mine.newcomer, pairingId: started.pairingId, startedAt: START };
    const toLaptop = await offerTo(inviterOf(w), swapped);
    const cloudSide = must(await answerOffer(swapped, seen(toLaptop)));
    const laptopSide = must(await openReveal(toLaptop, cloudSide.reveal));
    expect(laptopSide.digits).not.toBe(tabletSide.digits);
    // Bound to the tablet's commitment, it can open neither with its own message nor with the tablet's in another offer.
    const byCloud = must(await answerOffer({ ...swapped, newcomer: mine.newcomer }, seen(offer)));
    expect(codeOf(await openReveal(offer, byCloud.reveal))).toBe("PAIR_COMMITMENT");
    expect(codeOf(await openReveal(offer, tabletSide.reveal))).toBe("BAD_SEAL");
    const honest = must(await answerOffer(started, seen(offer)));
    expect(codeOf(await openReveal({ ...offer, pairingId: new Uint8Array(16) }, honest.reveal))).toBe("BAD_SEAL");
    expect(codeOf(await openReveal(offer, honest.reveal))).toBe("ok");
  });

  test("V29 three tries, then the pairing is dead", async () => {
    const { known } = await pair(w, tablet);
    const wrong = known.digits === "000000" ? "000001" : "000000";
    const spaced = `${known.digits.slice(0, 3)} ${known.digits.slice(3)}`;
    expect(typeDigits(known, spaced)).toMatchObject({ ok: true, known: { isConfirmed: true } });
    let state = known;
    for (const triesLeft of [2, 1, 0]) {
      const typed = typeDigits(state, wrong);
      expect(typed).toMatchObject({ ok: false, code: "PAIR_MISMATCH", triesLeft });
      state = typed.known;
    }
    expect(typeDigits(state, known.digits)).toMatchObject({ ok: false, triesLeft: 0 });
    const second = typeDigits(typeDigits(known, wrong).known, known.digits);
    expect(second.ok).toBe(true);
  });

  test("V29 nothing is shared before the person agreed, nor without every root", async () => {
    const { approve, known, payload } = await pair(w, tablet);
    expect(codeOf(await approve(false))).toBe("PAIR_MISMATCH");
    const some = { ...payload, keys: payload.keys.slice(1) };
    expect(codeOf(await approveNewcomer({ ...known, isConfirmed: true }, { at: AT, payload: some }))).toBe(
      "KEY_MISSING",
    );
  });

  test("V33 a web page may send commands and nothing else, unless the person says so", async () => {
    expect(rolesFor("web")).toEqual(["command"]);
    const { known, payload } = await pair(w, tablet);
    const page = { ...known, isConfirmed: true, newcomer: { ...known.newcomer, platform: "web" } };
    const approved = must(await approveNewcomer(page, { at: AT, payload }));
    expect(approved.roster.devices.get(tablet.id)?.roles).toEqual(["command"]);
    const lowered = must(await approveNewcomer(page, { at: AT, payload, roles: [] }));
    expect(lowered.roster.devices.get(tablet.id)?.roles).toEqual([]);
  });

  test("V29 a name is shown without what could deceive", () => {
    expect(shownName("Lap\u202etop\u0007\n")).toBe("Laptop");
    expect(shownName("é".repeat(100))).toHaveLength(64);
  });

  test("V32 the new device's own ten minutes", async () => {
    const { started, offer, revealed, redeemed } = await pair(w, tablet);
    const late = START + PAIRING_MS + 1;
    expect(codeOf(await answerOffer(started, seen(offer, { now: late })))).toBe("PAIR_EXPIRED");
    expect(codeOf(await finishPairing(revealed, { ...redeemed, now: late }))).toBe("PAIR_EXPIRED");
  });
});

describe("what a new device accepts at the end", () => {
  test("V30 another vault, another view, another statement, another inviter", async () => {
    const { revealed, redeemed, approved, payload } = await pair(w, tablet);
    const finish = async (more: Partial<typeof redeemed>) =>
      codeOf(await finishPairing(revealed, { ...redeemed, ...more }));
    expect(await finish({})).toBe("ok");
    expect(await finish({ statements: w.statements })).toBe("WRONG_PLACE");
    expect(await finish({ statements: w.statements.slice(0, 3) })).toBe("EQUIVOCATION");
    expect(await finish({ statements: [] })).toBe("BAD_ROSTER");
    const other = await makeStatement(
      { roster: w.rotated, at: AT, ops: [addOp(w.mallory, ["command"])] },
      w.laptop.signer,
    );
    expect(await finish({ statements: [...w.statements, other] })).toBe("WRONG_PLACE");
    const both = [addOp(tablet, ["command"]), addOp(w.mallory, ["command"])];
    const more = await makeStatement({ roster: w.rotated, at: AT, ops: both }, w.laptop.signer);
    expect(await finish({ statements: [...w.statements, more] })).toBe("WRONG_PLACE");
    const byOther = await makeStatement({ roster: w.rotated, at: AT, ops: [addOp(tablet, ["run"])] }, w.desktop.signer);
    expect(await finish({ statements: [...w.statements, byOther] })).toBe("WRONG_PLACE");
    const plan = { roster: approved.roster, to: tablet.id, payload };
    expect(await finish({ envelope: await sealEnvelope(plan, w.laptop.signer) })).toBe("BAD_SIGNATURE");
    const context = new Uint8Array(32).fill(1);
    expect(await finish({ envelope: await sealEnvelope({ ...plan, context }, w.laptop.signer) })).toBe("BAD_SIGNATURE");
  });

  test("V30 a vault of the cloud's own making, whose offer it sent", async () => {
    const { revealed, redeemed } = await pair(w, tablet);
    const ops = [addOp(w.mallory, ["admin", "command", "run"]), w.recoveryOp];
    const founded = await makeStatement({ roster: null, at: AT, ops }, w.mallory.signer, w.recoverySigner);
    expect(codeOf(await foldRoster([founded]))).toBe("BAD_ROSTER");
    const message = new TextEncoder().encode(
      new TextDecoder().decode(revealed.offer).replace(/"vault":"[^"]+"/, '"vault":"AAAAAAAAAAAAAAAAAAAAAA"'),
    );
    expect(codeOf(await finishPairing({ ...revealed, offer: message }, redeemed))).toBe("VAULT_CHANGED");
    const key = new TextDecoder().decode(revealed.offer).replace(/"sign":"[^"]+"/, `"sign":"${"A".repeat(43)}"`);
    const otherKey = { ...revealed, offer: new TextEncoder().encode(key) };
    expect(codeOf(await finishPairing(otherKey, redeemed))).toBe("WRONG_PLACE");
  });
});
