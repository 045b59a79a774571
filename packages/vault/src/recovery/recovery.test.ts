import { beforeAll, describe, expect, test } from "vitest";
import vectors from "../../test/vault-vectors.json" with { type: "json" };
import { RECOVERY } from "../envelopes/envelope.ts";
import { sealEnvelope, sealEpochEnvelopes } from "../envelopes/seal-envelope.ts";
import { startEpoch } from "../roster/found-vault.ts";
import { AT, buildWorld, codeOf, must, type World } from "../vault-world.test-kit.ts";
import { recoverVault } from "./recover-vault.ts";
import { confirmsCode, newRecoveryCode, readRecoveryCode, recoveryKeys } from "./recovery-code.ts";
import { SYMBOLS } from "./symbols.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});
const roots = () => w.roots.map((root, at) => ({ epoch: at + 1, root }));

describe("recovery codes", () => {
  test("V34 a code is read as people type it", async () => {
    for (let round = 0; round < 50; round++) {
      const code = await newRecoveryCode();
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]{5}$/);
      const typed = code.toLowerCase().replaceAll("1", "l").replaceAll("0", "o").replaceAll("-", " ");
      expect(must(await readRecoveryCode(typed))).toBe(code.replaceAll("-", "").slice(0, 26));
      expect(confirmsCode(code, code.slice(-5).toLowerCase())).toBe(true);
      expect(confirmsCode(code, code.slice(0, 5))).toBe(code.slice(0, 5) === code.slice(-5));
    }
  });

  test("V34 none of the 930 single wrong symbols gets through", async () => {
    const code = vectors.recovery.shown.replaceAll("-", "");
    let tried = 0;
    for (let at = 0; at < code.length; at++) {
      for (const symbol of SYMBOLS) {
        if (symbol === code[at]) continue;
        tried++;
        const typed = code.slice(0, at) + symbol + code.slice(at + 1);
        expect(codeOf(await readRecoveryCode(typed)), typed).toBe("BAD_CODE");
      }
    }
    expect(tried).toBe(930);
  });

  test("V34 a wrong length, a symbol that is none, and nothing at all", async () => {
    const { shown } = vectors.recovery;
    for (const typed of ["", shown.slice(1), `${shown}0`, shown.replace("0", "U"), shown.replace("0", "é")])
      expect(codeOf(await readRecoveryCode(typed))).toBe("BAD_CODE");
  });

  test("V34 a code opens the vault it was made for, every epoch of it", async () => {
    const first = await sealEpochEnvelopes(w.founded, roots().slice(0, 1), w.laptop.signer);
    const second = await sealEpochEnvelopes(w.rotated, roots(), w.laptop.signer);
    const stored = { statements: w.statements, envelopes: [...first, ...second] };
    const opened = must(await recoverVault(stored, w.recovery));
    expect(opened.roots).toEqual(roots());
    expect(opened.roster.hash).toEqual(w.rotated.hash);
    expect(codeOf(await recoverVault(stored, await recoveryKeys("Z".repeat(26))))).toBe("BAD_CODE");
    expect(codeOf(await recoverVault({ ...stored, envelopes: second }, w.recovery))).toBe("KEY_MISSING");
    expect(codeOf(await recoverVault({ ...stored, statements: w.statements.slice(1) }, w.recovery))).not.toBe("ok");
    const own = { roster: w.rotated, to: RECOVERY, payload: { keys: [{ epoch: 2, root: w.roots[0] }] } };
    const forged = await sealEnvelope(own, { by: w.laptop.id, privateKey: w.mallory.signer.privateKey });
    expect(codeOf(await recoverVault({ ...stored, envelopes: [...first, forged] }, w.recovery))).toBe("BAD_SIGNATURE");
  });

  test("V34 a new code takes the place of the old one, with all roots", async () => {
    const fresh = await recoveryKeys("Y".repeat(26));
    const by = { by: w.laptop.id, keys: w.laptop.keys, at: AT };
    const next = await startEpoch({ ...by, roster: w.rotated, ops: [], recovery: { keys: fresh, roots: roots() } });
    const old = await sealEpochEnvelopes(w.rotated, roots(), w.laptop.signer);
    const stored = { statements: [...w.statements, next.statement], envelopes: [...old, ...next.envelopes] };
    const opened = must(await recoverVault(stored, fresh));
    expect(opened.roots).toEqual([...roots(), { epoch: 3, root: next.root }]);
    expect(codeOf(await recoverVault(stored, w.recovery))).toBe("BAD_CODE");
  });
});
