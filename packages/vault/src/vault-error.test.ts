import { beforeAll, describe, expect, test } from "vitest";
import { toBase64url } from "./bytes/base64url.ts";
import { toHex, utf8 } from "./bytes/text.ts";
import { readPayload } from "./envelopes/payload.ts";
import { openEnvelope, sealEnvelope } from "./envelopes/seal-envelope.ts";
import { explainCode } from "./explain-code.ts";
import { Keyring } from "./keys/keyring.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOf } from "./outcome.ts";
import { readQr } from "./pairing/qr-text.ts";
import { readRecoveryCode } from "./recovery/recovery-code.ts";
import { openRecord, sealRecord } from "./sealing/record.ts";
import { sealItem } from "./sealing/seal-item.ts";
import { VAULT_CODES, VaultError } from "./vault-error.ts";
import { buildWorld, codeOf, idOf, SECRET, type World } from "./vault-world.test-kit.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});

describe("what is refused", () => {
  test("V36 no refusal tells a secret", async () => {
    const id = await idOf("record");
    const root = w.roots[0];
    const words = "a private sentence";
    const access = w.access(w.laptop, w.three);
    const sealed = await sealRecord(access, { kind: 3, id, rev: 1, n: 1, body: { words } });
    const notJson = await sealItem(access, sealed.header, utf8(`{"${words}`));
    const reader = { roster: w.rotated, to: w.desktop.id, agree: w.desktop.keys.agree };
    const payload = { keys: [{ epoch: 2, root }] };
    const envelope = await sealEnvelope({ roster: w.rotated, to: w.desktop.id, payload }, w.laptop.signer);
    const refusals: Outcome<unknown>[] = [
      await readRecoveryCode(`${SECRET}ZZZZ`),
      await readQr(`https://other.example/pair#1.${toBase64url(root)}`, "https://cloud.example"),
      await openEnvelope(envelope, reader),
      await outcomeOf(() => new Keyring(w.rotated.vault).add(w.rotated, { epoch: 2, root })),
      await outcomeOf(() => readPayload(utf8(`{"keys":[{"epoch":1,"root":"${toBase64url(root)}","x":1}]}`))),
      await openRecord({ roster: w.three, keys: w.keys }, notJson.bytes, { kind: 3, id }),
      await openRecord({ roster: w.three, keys: new Keyring(w.three.vault) }, sealed.bytes, { kind: 3, id }),
    ];
    for (const refusal of refusals) {
      expect(codeOf(refusal)).not.toBe("ok");
      const said = JSON.stringify(refusal);
      for (const secret of [SECRET, toHex(root), toBase64url(root), words]) expect(said).not.toContain(secret);
    }
  });

  test("§13 every code has plain words, and they say what to do or what was kept", () => {
    for (const code of VAULT_CODES) expect(explainCode(code).length).toBeGreaterThan(30);
    expect(new Set(VAULT_CODES.map(explainCode)).size).toBe(VAULT_CODES.length);
  });

  test("a fault of ours is not made into an answer", async () => {
    await expect(outcomeOf(() => Promise.reject(new TypeError("ours")))).rejects.toThrow("ours");
    const refusal = await outcomeOf(() => Promise.reject(new VaultError("GAP", "from 3")));
    expect(refusal).toEqual({ ok: false, code: "GAP", reason: "from 3" });
  });
});
