import { beforeAll, describe, expect, test } from "vitest";
import { randomBytes } from "../primitives/web-crypto.ts";
import { buildWorld, codeOf, must, type World, type WorldDevice, worldDevice } from "../vault-world.test-kit.ts";
import { answerOffer, finishPairing, qrOf } from "./newcomer.ts";
import { inviterOf, offerTo, pair, seen, start } from "./pair.test-kit.ts";
import { applyPairing, openPairing, type PairingRow, type PairingStep } from "./pairing-row.ts";
import { readQr, writeQr } from "./qr-text.ts";
import { newUserCode, readUserCode } from "./user-code.ts";

let w: World;
let tablet: WorldDevice;
beforeAll(async () => {
  w = await buildWorld();
  tablet = await worldDevice("tablet");
});

describe("pairing by QR", () => {
  test("V31 no digits, and nobody to ask", async () => {
    const { revealed, redeemed, known } = await pair(w, tablet, true);
    expect(known.isConfirmed).toBe(true);
    expect(must(await finishPairing(revealed, redeemed)).askPerson).toBe(false);
  });

  test("V31 an offer by somebody who did not read the QR is refused", async () => {
    const started = await start(tablet);
    const byQr = await offerTo(inviterOf(w), started, true);
    const answer = async (more: Parameters<typeof seen>[1]) => codeOf(await answerOffer(started, seen(byQr, more)));
    expect(await answer({})).toBe("ok");
    expect(await answer({ qrTag: null, byQr: true })).toBe("PAIR_MISMATCH");
    expect(await answer({ qrTag: new Uint8Array(32), byQr: true })).toBe("PAIR_MISMATCH");
    const swapped = await offerTo({ ...inviterOf(w), keys: w.mallory.keys }, started);
    expect(await answer({ message: swapped.message })).toBe("PAIR_MISMATCH");
  });

  test("V31 a text of another origin, another format, or with anything about it changed", async () => {
    const started = await start(tablet);
    const text = writeQr("https://cloud.example/anything", qrOf(started));
    expect(text.startsWith("https://cloud.example/pair#1.")).toBe(true);
    const read = async (scanned: string, origin = "https://cloud.example") => codeOf(await readQr(scanned, origin));
    expect(must(await readQr(text, "https://cloud.example"))).toEqual(qrOf(started));
    expect(await read(text, "https://cloud.example:8443")).toBe("WRONG_PLACE");
    expect(await read(text.replace("cloud", "thief"))).toBe("WRONG_PLACE");
    expect(await read(text.replace("/pair#", "/pair?x#"))).toBe("WRONG_PLACE");
    expect(await read(text.replace("#1.", "#2."))).toBe("UNKNOWN_FORMAT");
    for (const bad of [`${text}.AA`, text.slice(0, -3), `${text}#`, "", text.replace(/\.[^.]+$/, "")])
      expect(await read(bad)).not.toBe("ok");
  });
});

describe("a pairing in the cloud", () => {
  const offer: PairingStep = { step: "offer", accountId: "a", by: "laptop", message: new Uint8Array(1), qrTag: null };
  const reveal: PairingStep = { step: "reveal", reveal: { enc: new Uint8Array(32), ct: new Uint8Array(9) } };
  const approve: PairingStep = { step: "approve", accountId: "a", by: "laptop" };
  const steps: PairingStep[] = [offer, reveal, approve, { step: "redeem" }];
  const row = (): PairingRow => openPairing(randomBytes(32), 600_000);
  const code = (at: PairingRow, step: PairingStep, now = 0) => codeOf(applyPairing(at, step, now));

  test("V32 one offer, one reveal, one approval, one redeem, in this order", () => {
    let at = row();
    for (const [taken, step] of steps.entries()) {
      for (const [other, early] of steps.entries()) if (other !== taken) expect(code(at, early)).toBe("CONFLICT");
      const next = applyPairing(at, step, 599_999);
      if (!next.ok) throw new Error(next.code);
      at = next.row;
    }
    expect(at.state).toBe("redeemed");
    for (const step of [...steps, { step: "kill" } as const]) expect(code(at, step)).toBe("CONFLICT");
  });

  test("V32 it ends with its time, and when a device gives up", () => {
    for (const step of steps) expect(code(row(), step, 600_000)).toBe("PAIR_EXPIRED");
    const dead = applyPairing(row(), { step: "kill" }, 0);
    if (!dead.ok) throw new Error(dead.code);
    for (const step of steps) expect(code(dead.row, step)).toBe("CONFLICT");
  });

  test("V32 only the device that made the offer approves", () => {
    const offered = applyPairing(row(), offer, 0);
    if (!offered.ok) throw new Error(offered.code);
    const revealed = applyPairing(offered.row, reveal, 0);
    if (!revealed.ok) throw new Error(revealed.code);
    expect(code(revealed.row, { ...approve, by: "desktop" })).toBe("NOT_ALLOWED");
    expect(code(revealed.row, { ...approve, accountId: "b" })).toBe("NOT_ALLOWED");
    expect(code(revealed.row, approve)).toBe("ok");
  });

  test("V29 a user code is read as it is typed", () => {
    const made = newUserCode();
    expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(readUserCode(made.toLowerCase().replace("-", " ").replaceAll("0", "o"))).toBe(made);
    for (const typed of ["", "ABCD-EFG", "ABCD-EFGU", "ABCD-EFGHJ"]) expect(readUserCode(typed)).toBeNull();
    expect(new Set(Array.from({ length: 100 }, () => newUserCode())).size).toBe(100);
  });
});
