import { beforeAll, describe, expect, test } from "vitest";
import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { utf8 } from "../bytes/text.ts";
import { outcomeOf } from "../outcome.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { makeStatement } from "../roster/make-statement.ts";
import { AT, buildWorld, codeOf, must, type World } from "../vault-world.test-kit.ts";
import { RECOVERY } from "./envelope.ts";
import { readPayload } from "./payload.ts";
import { type EnvelopePlan, openEnvelope, sealEnvelope, sealEpochEnvelopes } from "./seal-envelope.ts";

let w: World;
let plan: EnvelopePlan;
beforeAll(async () => {
  w = await buildWorld();
  plan = { roster: w.rotated, to: w.desktop.id, payload: { keys: [{ epoch: 2, root: w.roots[1] }] } };
});

const reader = () => ({ roster: w.rotated, to: w.desktop.id, agree: w.desktop.keys.agree });
const open = async (envelope: unknown, more = {}) => codeOf(await openEnvelope(envelope, { ...reader(), ...more }));

describe("envelopes", () => {
  test("V18 root keys reach the device they are for, and nobody else", async () => {
    const envelope = await sealEnvelope(plan, w.laptop.signer);
    expect(must(await openEnvelope(envelope, reader()))).toEqual(plan.payload);
    expect(await open(envelope, { to: w.laptop.id, agree: w.laptop.keys.agree })).toBe("WRONG_PLACE");
    expect(await open(envelope, { agree: w.mallory.keys.agree })).toBe("BAD_SEAL");
    expect(codeOf(await outcomeOf(() => sealEnvelope({ ...plan, to: w.phone.id }, w.laptop.signer)))).toBe(
      "UNKNOWN_DEVICE",
    );
    expect(codeOf(await outcomeOf(() => sealEnvelope({ ...plan, to: w.mallory.id }, w.laptop.signer)))).toBe(
      "UNKNOWN_DEVICE",
    );
  });

  test("V18 the cloud hands out no root of its own making", async () => {
    const own = { ...plan, payload: { keys: [{ epoch: 2, root: w.roots[0] }] } };
    const asAdmin = { by: w.laptop.id, privateKey: w.mallory.signer.privateKey };
    expect(await open(await sealEnvelope(own, asAdmin))).toBe("BAD_SIGNATURE");
    expect(await open(await sealEnvelope(own, w.mallory.signer))).toBe("BAD_SIGNATURE");
    // V10: even a member who is an admin cannot.
    expect(await open(await sealEnvelope(own, w.laptop.signer))).toBe("BAD_ROOT");
    const unknown = { ...plan, payload: { keys: [{ epoch: 3, root: w.roots[0] }] } };
    expect(await open(await sealEnvelope(unknown, w.laptop.signer))).toBe("BAD_ROOT");
  });

  test("V18 every changed byte and every changed field is refused", async () => {
    const envelope = await sealEnvelope(plan, w.laptop.signer);
    for (const field of ["enc", "ct", "sig"] as const) {
      const bytes = fromBase64url(envelope[field]);
      for (let at = 0; at < bytes.length; at += 5) {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(await open({ ...envelope, [field]: toBase64url(changed) })).toBe("BAD_SIGNATURE");
      }
    }
    expect(await open({ ...envelope, seq: 2 })).toBe("BAD_SIGNATURE");
    expect(await open({ ...envelope, seq: 9 })).toBe("WITHHELD");
    expect(await open({ ...envelope, by: w.desktop.id })).toBe("BAD_SIGNATURE");
    expect(await open({ ...envelope, more: 1 })).toBe("BAD_FORMAT");
    expect(await open({ ...envelope, v: 2 })).toBe("UNKNOWN_FORMAT");
    expect(await open(null)).toBe("BAD_FORMAT");
  });

  test("V18 an envelope of a pairing is bound to what both sides saw", async () => {
    const context = new Uint8Array(32).fill(3);
    const envelope = await sealEnvelope({ ...plan, context }, w.laptop.signer);
    expect(await open(envelope, { context })).toBe("ok");
    expect(await open(envelope)).toBe("BAD_SIGNATURE");
    expect(await open(envelope, { context: new Uint8Array(32).fill(4) })).toBe("BAD_SIGNATURE");
  });

  test("V18 only an admin of that moment may have sent it", async () => {
    expect(await open(await sealEnvelope({ ...plan, roster: w.three }, w.laptop.signer))).toBe("ok");
    expect(await open(await sealEnvelope({ ...plan, roster: w.three }, w.phone.signer))).toBe("BAD_SIGNATURE");
    const ops = [{ op: "roles", id: w.laptop.id, roles: ["run"] } as const].map((op) => ({
      ...op,
      roles: [...op.roles],
    }));
    const statement = await makeStatement({ roster: w.rotated, at: AT, ops }, w.desktop.signer);
    const lowered = must(await foldRoster([statement], w.rotated));
    const [earlier, later] = [
      await sealEnvelope(plan, w.laptop.signer),
      await sealEnvelope({ ...plan, roster: lowered }, w.laptop.signer),
    ];
    expect(await open(earlier, { roster: lowered })).toBe("ok");
    expect(await open(later, { roster: lowered })).toBe("BAD_SIGNATURE");
    expect(await open(later)).toBe("WITHHELD");
  });

  test("V18 a new epoch's envelopes hold that epoch's root; a new recovery key gets all", async () => {
    const roots = w.roots.map((root, at) => ({ epoch: at + 1, root }));
    const envelopes = await sealEpochEnvelopes(w.rotated, roots, w.laptop.signer);
    const recovery = { roster: w.rotated, to: RECOVERY, agree: w.recovery.agree };
    expect(must(await openEnvelope(envelopes.at(-1), recovery)).keys).toEqual([roots[1]]);
    const first = await sealEpochEnvelopes(w.founded, roots.slice(0, 1), w.laptop.signer);
    expect(must(await openEnvelope(first.at(-1), recovery)).keys).toEqual([roots[0]]);
    expect(codeOf(await outcomeOf(() => sealEpochEnvelopes(w.rotated, roots.slice(0, 1), w.laptop.signer)))).toBe(
      "KEY_MISSING",
    );
  });

  test("V18 a payload has its shape and nothing besides", async () => {
    const read = async (json: string) => codeOf(await outcomeOf(() => readPayload(utf8(json))));
    expect(await read('{"keys":[]}')).toBe("ok");
    const account = '{"keys":[],"account":{"label":"Home","letInBy":"Laptop"},"seen":{}}';
    expect(await read(account)).toBe("ok");
    for (const json of [
      "",
      "[]",
      "{}",
      '{"keys":[],"x":1}',
      '{"keys":[{"epoch":0,"root":""}]}',
      '{"keys":[],"seen":{"x":{}}}',
    ])
      expect(await read(json)).toBe("BAD_FORMAT");
  });
});
