import { beforeAll, describe, expect, test } from "vitest";
import { toBase64url } from "../bytes/base64url.ts";
import { fromHex } from "../bytes/text.ts";
import { recoveryKeys } from "../recovery/recovery-code.ts";
import { AT, addOp, buildWorld, codeOf, must, type World, worldDevice } from "../vault-world.test-kit.ts";
import { foldRoster } from "./fold-roster.ts";
import { epochOp, makeStatement, type Signer } from "./make-statement.ts";
import { activeDevice, type Roster, rolesAt } from "./roster.ts";
import type { RosterOp } from "./statement.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});

/** The code that the next statement on a roster is taken or refused with. */
async function say(roster: Roster | null, ops: RosterOp[], ...signers: Signer[]): Promise<string> {
  const [signer = w.laptop.signer, cosigner] = signers;
  return codeOf(await foldRoster([await makeStatement({ roster, at: AT, ops }, signer, cosigner)], roster));
}

describe("roster: who may say what", () => {
  test("V6 V7 statements chain, each by an admin of before it", () => {
    expect([w.founded.seq, w.paired.seq, w.three.seq, w.rotated.seq]).toEqual([0, 1, 2, 3]);
    expect(w.rotated.vault).toEqual(w.founded.hash.slice(0, 16));
    expect(activeDevice(w.rotated, w.phone.id)).toBeNull();
    expect(w.rotated.devices.get(w.phone.id)?.removed).toEqual({ seq: 3, epoch: 2, cut: null });
    expect(rolesAt(w.rotated, w.phone.id, 2)).toEqual(["command"]);
    expect(rolesAt(w.rotated, w.phone.id, 1)).toEqual([]);
    expect(rolesAt(w.rotated, w.phone.id, 3)).toEqual([]);
  });

  test("V7 a ghost device: the cloud signs with a key of its own, in the name of an admin", async () => {
    const ghost: Signer = { by: w.laptop.id, privateKey: w.mallory.signer.privateKey };
    expect(await say(w.three, [addOp(w.mallory, ["admin"])], ghost)).toBe("BAD_SIGNATURE");
    expect(await say(w.three, [addOp(w.mallory, ["admin"])], w.mallory.signer)).toBe("BAD_SIGNATURE");
  });

  test("V7 a member without the role admin, and a removed admin, say nothing", async () => {
    expect(await say(w.three, [addOp(w.mallory, ["admin"])], w.phone.signer)).toBe("BAD_SIGNATURE");
    expect(await say(w.rotated, [addOp(w.mallory, ["admin"])], w.phone.signer)).toBe("BAD_SIGNATURE");
    const ops: RosterOp[] = [{ op: "remove", id: w.desktop.id, cut: null }, await epochOp(3, w.roots[0])];
    const statement = await makeStatement({ roster: w.rotated, at: AT, ops }, w.laptop.signer);
    const without = must(await foldRoster([statement], w.rotated));
    expect(await say(without, [addOp(w.mallory, ["admin"])], w.desktop.signer)).toBe("BAD_SIGNATURE");
    expect(await say(w.rotated, [addOp(w.mallory, ["admin"])], w.desktop.signer)).toBe("ok");
  });

  test("V7 the recovery key may, and only the present one", async () => {
    expect(await say(w.rotated, [addOp(w.mallory, ["run"])], w.recoverySigner)).toBe("ok");
    const other = await recoveryKeys("Z".repeat(26));
    const op: RosterOp = { op: "recovery", sign: other.sign.publicKey, agree: other.agree.publicKey };
    const next: Signer = { by: "recovery", privateKey: other.sign.privateKey };
    const ops = [op, await epochOp(3, w.roots[0])];
    const statement = await makeStatement({ roster: w.rotated, at: AT, ops }, w.laptop.signer, next);
    const changed = must(await foldRoster([statement], w.rotated));
    expect(await say(changed, [addOp(w.mallory, ["run"])], w.recoverySigner)).toBe("BAD_SIGNATURE");
    expect(await say(changed, [addOp(w.mallory, ["run"])], next)).toBe("ok");
    // By the old one, and co-signed by the new one: both stand there as "recovery".
    expect(await say(w.rotated, ops, w.recoverySigner, next)).toBe("ok");
    expect(await say(w.rotated, ops, w.recoverySigner, w.recoverySigner)).toBe("BAD_SIGNATURE");
  });

  test("V6 a new recovery key signs too, and brings a new epoch", async () => {
    const other = await recoveryKeys("Z".repeat(26));
    const op: RosterOp = { op: "recovery", sign: other.sign.publicKey, agree: other.agree.publicKey };
    const next: Signer = { by: "recovery", privateKey: other.sign.privateKey };
    const epoch = await epochOp(3, w.roots[0]);
    expect(await say(w.rotated, [op, epoch], w.laptop.signer)).toBe("BAD_SIGNATURE");
    expect(await say(w.rotated, [op, epoch], w.laptop.signer, w.recoverySigner)).toBe("BAD_SIGNATURE");
    expect(await say(w.rotated, [op], w.laptop.signer, next)).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [w.recoveryOp, epoch], w.laptop.signer, w.recoverySigner)).toBe("BAD_ROSTER");
  });

  test("V7 V34 a cloud cannot invent a vault for a known recovery code", async () => {
    const ops = [addOp(w.mallory, ["admin"]), w.recoveryOp, await epochOp(1, w.roots[0])];
    expect(await say(null, ops, w.mallory.signer)).toBe("BAD_SIGNATURE");
    const forged: Signer = { by: "recovery", privateKey: w.mallory.signer.privateKey };
    expect(await say(null, ops, w.mallory.signer, forged)).toBe("BAD_SIGNATURE");
  });

  test("V7 statement 0 is one admin, one recovery key, epoch 1, and nothing else", async () => {
    const founder = addOp(w.mallory, ["admin"]);
    const epoch = await epochOp(1, w.roots[0]);
    const found = (...ops: RosterOp[]) => say(null, ops, w.mallory.signer, w.recoverySigner);
    expect(await found(founder, w.recoveryOp, epoch)).toBe("ok");
    expect(await found(addOp(w.mallory, ["run"]), w.recoveryOp, epoch)).toBe("BAD_ROSTER");
    expect(await found(addOp(w.laptop, ["admin"]), w.recoveryOp, epoch)).toBe("BAD_ROSTER");
    expect(await found(founder, epoch)).toBe("BAD_ROSTER");
    expect(await found(founder, w.recoveryOp)).toBe("BAD_ROSTER");
    expect(await found(founder, addOp(w.laptop, ["admin"]), w.recoveryOp, epoch)).toBe("BAD_ROSTER");
    expect(await found(founder, w.recoveryOp, await epochOp(2, w.roots[0]))).toBe("BAD_ROSTER");
  });

  test("V3 no key that proves nothing enters a roster", async () => {
    const small = addOp(w.mallory, ["admin"]);
    if (small.op !== "add") throw new Error("add");
    expect(await say(w.three, [{ ...small, sign: fromHex(`01${"00".repeat(31)}`) }])).toBe("BAD_KEY");
    expect(await say(w.three, [{ ...small, agree: new Uint8Array(32) }])).toBe("BAD_KEY");
  });

  test("V6 no id and no key comes a second time, removed ones included", async () => {
    const [phone, other] = [addOp(w.phone, ["command"]), addOp(w.mallory, ["command"])];
    if (phone.op !== "add" || other.op !== "add") throw new Error("add");
    expect(await say(w.rotated, [phone])).toBe("BAD_ROSTER");
    for (const again of [{ id: phone.id }, { sign: phone.sign }, { agree: phone.agree }])
      expect(await say(w.rotated, [{ ...other, ...again }])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [other, { ...other, id: w.phone.id }])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [other])).toBe("ok");
  });
});

describe("roster: what a statement may hold", () => {
  test("V7 a removal comes with a new epoch, and every epoch is the next", async () => {
    const remove: RosterOp = { op: "remove", id: w.desktop.id, cut: { n: 4, hash: toBase64url(new Uint8Array(32)) } };
    const epoch = await epochOp(3, w.roots[0]);
    expect(await say(w.rotated, [remove])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [remove, epoch])).toBe("ok");
    expect(await say(w.rotated, [epoch])).toBe("ok");
    expect(await say(w.rotated, [await epochOp(2, w.roots[0])])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [await epochOp(4, w.roots[0])])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [epoch, await epochOp(4, w.roots[0])])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [{ ...remove, id: w.phone.id }, epoch])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [{ ...remove, id: w.mallory.id }, epoch])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [])).toBe("BAD_ROSTER");
  });

  test("V6 roles change, but never run", async () => {
    const roles = (...names: ("admin" | "command" | "run")[]): RosterOp => ({
      op: "roles",
      id: w.desktop.id,
      roles: names,
    });
    expect(await say(w.rotated, [roles("run")])).toBe("ok");
    expect(await say(w.rotated, [roles("admin", "run")])).toBe("ok");
    expect(await say(w.rotated, [roles("admin", "command")])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [roles("run", "run")])).toBe("BAD_ROSTER");
    expect(await say(w.rotated, [{ op: "roles", id: w.phone.id, roles: [] }])).toBe("BAD_ROSTER");
    expect(await say(w.three, [{ op: "roles", id: w.phone.id, roles: ["command", "run"] }])).toBe("BAD_ROSTER");
    const lowered = await makeStatement({ roster: w.rotated, at: AT, ops: [roles("run")] }, w.laptop.signer);
    const roster = must(await foldRoster([lowered], w.rotated));
    expect(rolesAt(roster, w.desktop.id, 3)).toContain("admin");
    expect(rolesAt(roster, w.desktop.id, 4)).toEqual(["run"]);
    expect(await say(roster, [roles("admin", "run")], w.desktop.signer)).toBe("BAD_SIGNATURE");
  });

  test("V9 a vault has at most 64 active devices", async () => {
    const devices = await Promise.all(Array.from({ length: 63 }, (_, at) => worldDevice(`crowd ${at}`)));
    const ops = devices.map((device) => addOp(device, ["command"]));
    // The laptop and the desktop are there already: with 62 it is full.
    const full = await makeStatement({ roster: w.rotated, at: AT, ops: ops.slice(0, 31) }, w.laptop.signer);
    const half = must(await foldRoster([full], w.rotated));
    expect(await say(half, ops.slice(31, 62))).toBe("ok");
    expect(await say(half, ops.slice(31, 63))).toBe("BAD_ROSTER");
  });
});
