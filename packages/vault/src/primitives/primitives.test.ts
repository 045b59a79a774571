import { describe, expect, test } from "vitest";
import { fromHex, toHex, utf8 } from "../bytes/text.ts";
import { outcomeOf } from "../outcome.ts";
import { codeOf } from "../vault-world.test-kit.ts";
import { agree, checkAgreementKey } from "./agreement.ts";
import { hmacRaw } from "./hash.ts";
import { hpkeOpen, hpkeSeal, kemSecret } from "./hpke.ts";
import { keyPairFromSeed, makeKeyPair, seedOf } from "./key-pair.ts";
import { checkSigningKey, SMALL_ORDER_KEYS, sign, verify } from "./signing.ts";
import { plain, subtle } from "./web-crypto.ts";

const refuses = async (work: () => unknown): Promise<string> => codeOf(await outcomeOf(work));

describe("primitives", () => {
  test("V1 the KEM agrees with RFC 9180 A.1", async () => {
    const ephemeral = await keyPairFromSeed(
      "X25519",
      fromHex("52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736"),
    );
    const recipient = await keyPairFromSeed(
      "X25519",
      fromHex("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8"),
    );
    expect(toHex(ephemeral.publicKey)).toBe("37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431");
    const shared = await agree(ephemeral.privateKey, recipient.publicKey);
    expect(toHex(await kemSecret(shared, ephemeral.publicKey, recipient.publicKey))).toBe(
      "fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc",
    );
  });

  test("V1 HMAC under no bytes is HMAC under zeros", async () => {
    expect(toHex(await hmacRaw(new Uint8Array(0), utf8("")))).toBe(
      "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
    );
  });

  test("V1 a sealed message opens for its recipient, its binding and its bytes only", async () => {
    const [me, other] = [await makeKeyPair("X25519", false), await makeKeyPair("X25519", false)];
    const binding = { info: utf8("info"), aad: utf8("aad") };
    const sealed = await hpkeSeal(me, binding, utf8("root"));
    expect(await hpkeOpen(me, binding, sealed)).toEqual(utf8("root"));
    const flipped = sealed.ct.slice();
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    expect(await refuses(() => hpkeOpen(other, binding, sealed))).toBe("BAD_SEAL");
    expect(await refuses(() => hpkeOpen(me, { ...binding, aad: utf8("other") }, sealed))).toBe("BAD_SEAL");
    expect(await refuses(() => hpkeOpen(me, { ...binding, info: utf8("other") }, sealed))).toBe("BAD_SEAL");
    expect(await refuses(() => hpkeOpen(me, binding, { ...sealed, ct: flipped }))).toBe("BAD_SEAL");
    expect(await refuses(() => hpkeOpen(me, binding, { ...sealed, enc: new Uint8Array(32) }))).toBe("BAD_KEY");
  });

  test("V3 the platform takes a forgery under a small-order key; we take none of the 14", async () => {
    const identity = fromHex(`01${"00".repeat(31)}`);
    const forged = new Uint8Array(64);
    forged[0] = 1;
    const key = await subtle.importKey("raw", plain(identity), { name: "Ed25519" }, true, ["verify"]);
    expect(await subtle.verify({ name: "Ed25519" }, key, forged, plain(utf8("anything")))).toBe(true);
    expect(SMALL_ORDER_KEYS.size).toBe(14);
    for (const small of SMALL_ORDER_KEYS) {
      expect(await refuses(() => checkSigningKey(fromHex(small)))).toBe("BAD_KEY");
      expect(await refuses(() => verify(fromHex(small), forged, utf8("anything")))).toBe("BAD_KEY");
    }
    expect(await refuses(() => checkSigningKey(new Uint8Array(31)))).toBe("BAD_KEY");
  });

  test("V3 no agreement with a key of small order", async () => {
    const order8 = "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800";
    for (const small of ["00".repeat(32), `01${"00".repeat(31)}`, order8, `ec${"ff".repeat(30)}7f`])
      expect(await refuses(() => checkAgreementKey(fromHex(small)))).toBe("BAD_KEY");
    expect(await refuses(() => checkAgreementKey(new Uint8Array(31)))).toBe("BAD_KEY");
    await checkAgreementKey((await makeKeyPair("X25519", false)).publicKey);
  });

  test("V4 a signature holds for its key and its message", async () => {
    const [mine, other] = [await makeKeyPair("Ed25519", false), await makeKeyPair("Ed25519", false)];
    const signature = await sign(mine.privateKey, utf8("m"));
    expect(await verify(mine.publicKey, signature, utf8("m"))).toBe(true);
    expect(await verify(mine.publicKey, signature, utf8("n"))).toBe(false);
    expect(await verify(other.publicKey, signature, utf8("m"))).toBe(false);
    expect(await verify(mine.publicKey, signature.slice(1), utf8("m"))).toBe(false);
    // Bytes that are no point of the curve.
    expect(await verify(fromHex(`02${"00".repeat(31)}`), signature, utf8("m"))).toBe(false);
  });

  test("V5 only an extractable key is written to a file, and comes back as it was", async () => {
    const pair = await makeKeyPair("Ed25519", true);
    const again = await keyPairFromSeed("Ed25519", await seedOf(pair));
    expect(again.publicKey).toEqual(pair.publicKey);
    expect(again.privateKey.extractable).toBe(false);
    expect(await refuses(() => seedOf(again))).toBe("BAD_KEY");
    expect(await refuses(() => keyPairFromSeed("Ed25519", new Uint8Array(31)))).toBe("BAD_KEY");
  });
});
