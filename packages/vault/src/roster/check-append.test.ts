import { beforeAll, describe, expect, test } from "vitest";
import { RECOVERY } from "../envelopes/envelope.ts";
import { sealEnvelope, sealEpochEnvelopes } from "../envelopes/seal-envelope.ts";
import { recoveryKeys } from "../recovery/recovery-code.ts";
import { AT, addOp, buildWorld, codeOf, must, type World } from "../vault-world.test-kit.ts";
import { checkAppend } from "./check-append.ts";
import { foldRoster } from "./fold-roster.ts";
import { foundVault, joinByRecovery, startEpoch } from "./found-vault.ts";
import { makeStatement } from "./make-statement.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});

describe("what the cloud takes into a roster", () => {
  test("V8 a vault is founded with one envelope for its device and one for recovery", async () => {
    const founder = { id: w.mallory.id, keys: w.mallory.keys, platform: "linux", recovery: w.recovery, at: AT };
    const { statement, envelopes, roster } = await foundVault(founder);
    const appended = must(await checkAppend(null, { statement, envelopes }));
    expect(appended.roster.hash).toEqual(roster.hash);
    expect(appended.added.map(({ id }) => id)).toEqual([w.mallory.id]);
    expect(codeOf(await checkAppend(null, { statement, envelopes: envelopes.slice(1) }))).toBe("BAD_ROSTER");
    expect(codeOf(await checkAppend(null, { statement: w.statements[1], envelopes: [] }))).not.toBe("ok");
  });

  test("V8 of two statements on the same roster one wins; the other is told to look again", async () => {
    const add = await makeStatement(
      { roster: w.paired, at: AT, ops: [addOp(w.mallory, ["command"])] },
      w.laptop.signer,
    );
    expect(codeOf(await checkAppend(w.paired, { statement: add, envelopes: [] }))).toBe("ok");
    expect(codeOf(await checkAppend(w.three, { statement: add, envelopes: [] }))).toBe("CONFLICT");
    expect(codeOf(await checkAppend(w.rotated, { statement: w.statements[3], envelopes: [] }))).toBe("CONFLICT");
    expect(codeOf(await checkAppend(w.founded, { statement: w.statements[2], envelopes: [] }))).toBe("CONFLICT");
  });

  test("V8 a new epoch comes with exactly one envelope for each member and for recovery, signed", async () => {
    const ops = [{ op: "remove", id: w.phone.id, cut: null } as const];
    const by = { by: w.laptop.id, keys: w.laptop.keys, at: AT };
    const { statement, envelopes, roster, root } = await startEpoch({ ...by, roster: w.three, ops });
    const append = async (given: unknown[]) => codeOf(await checkAppend(w.three, { statement, envelopes: given }));
    expect(envelopes).toHaveLength(3);
    expect(must(await checkAppend(w.three, { statement, envelopes })).removed).toEqual([w.phone.id]);
    for (let left = 0; left < 3; left++)
      expect(await append(envelopes.filter((_, at) => at !== left))).toBe("BAD_ROSTER");
    expect(await append([...envelopes, ...envelopes.slice(0, 1)])).toBe("BAD_ROSTER");
    expect(await append([])).toBe("BAD_ROSTER");
    const payload = { keys: [{ epoch: 2, root }] };
    const forged = await sealEnvelope(
      { roster, to: RECOVERY, payload },
      { by: w.laptop.id, privateKey: w.mallory.signer.privateKey },
    );
    expect(await append([...envelopes.slice(0, 2), forged])).toBe("BAD_SIGNATURE");
    const later = await sealEpochEnvelopes(w.rotated, [{ epoch: 2, root: w.roots[1] }], w.laptop.signer);
    expect(await append(later)).toBe("BAD_SIGNATURE");
    expect(await append([{ ...envelopes[0], v: 2 }, ...envelopes.slice(1)])).toBe("UNKNOWN_FORMAT");
    expect(await append([{ ...envelopes[0], seq: 2 }, ...envelopes.slice(1)])).toBe("BAD_ROSTER");
  });

  test("V8 without a new epoch only a newcomer gets an envelope", async () => {
    const ops = [addOp(w.mallory, ["command"])];
    const statement = await makeStatement({ roster: w.rotated, at: AT, ops }, w.laptop.signer);
    const roster = must(await foldRoster([statement], w.rotated));
    const payload = { keys: [{ epoch: 2, root: w.roots[1] }] };
    const context = new Uint8Array(32).fill(7);
    const to = async (id: string) => sealEnvelope({ roster, to: id, payload, context }, w.laptop.signer);
    const append = async (...envelopes: unknown[]) => codeOf(await checkAppend(w.rotated, { statement, envelopes }));
    expect(await append(await to(w.mallory.id))).toBe("ok");
    expect(await append(await to(w.desktop.id))).toBe("BAD_ROSTER");
    expect(await append(await to(w.mallory.id), await to(w.mallory.id))).toBe("BAD_ROSTER");
  });

  test("V34 a recovery code lets a device in, which then brings a new code", async () => {
    const me = { id: w.mallory.id, keys: w.mallory.keys, platform: "linux", recovery: w.recovery, at: AT };
    const joined = await joinByRecovery(w.rotated, me);
    const { roster } = must(await checkAppend(w.rotated, { statement: joined.statement, envelopes: [] }));
    const fresh = await recoveryKeys("Y".repeat(26));
    const roots = w.roots.map((root, at) => ({ epoch: at + 1, root }));
    const lost = [{ op: "remove", id: w.desktop.id, cut: null } as const];
    const by = { by: me.id, keys: me.keys, at: AT };
    const next = await startEpoch({ ...by, roster, ops: lost, recovery: { keys: fresh, roots } });
    const appended = must(await checkAppend(roster, next));
    expect(appended.removed).toEqual([w.desktop.id]);
    expect(appended.roster.recovery.sign).toEqual(fresh.sign.publicKey);
    expect(appended.roster.epoch).toBe(3);
  });
});
