import { beforeAll, describe, expect, test } from "vitest";
import { outcomeOf } from "../outcome.ts";
import { buildWorld, codeOf, type World } from "../vault-world.test-kit.ts";
import { type Challenge, hashSecret, newSecret, originOf, signChallenge, verifyChallenge } from "./challenge.ts";

let w: World;
let asked: Challenge;
beforeAll(async () => {
  w = await buildWorld();
  asked = { origin: "https://cloud.example", vault: w.rotated.vault, device: w.laptop.id, challenge: newSecret() };
});
const answer = async (more: Partial<Challenge> = {}, signer = w.laptop) =>
  signChallenge({ ...asked, ...more }, signer.keys.sign.privateKey);
const check = async (signature: Uint8Array, more: Partial<Challenge> = {}, roster = w.rotated) =>
  codeOf(await verifyChallenge(roster, { ...asked, ...more }, signature));

describe("device tokens", () => {
  test("V28 a signature opens this cloud, this vault, this device and this challenge", async () => {
    const signature = await answer();
    expect(await check(signature)).toBe("ok");
    expect(await check(signature, { challenge: newSecret() })).toBe("BAD_SIGNATURE");
    expect(await check(signature, { origin: "https://cloud.example:8443" })).toBe("BAD_SIGNATURE");
    expect(await check(signature, { device: w.desktop.id })).toBe("BAD_SIGNATURE");
    expect(await check(await answer({ vault: new Uint8Array(16) }))).toBe("BAD_SIGNATURE");
    expect(await check(await answer({ origin: "https://thief.example" }))).toBe("BAD_SIGNATURE");
    expect(await check(await answer({}, w.mallory))).toBe("BAD_SIGNATURE");
    expect(await check(signature.slice(1))).toBe("BAD_SIGNATURE");
  });

  test("V28 a removed device and a stranger get none", async () => {
    const signature = await answer({ device: w.phone.id }, w.phone);
    expect(await check(signature, { device: w.phone.id }, w.three)).toBe("ok");
    expect(await check(signature, { device: w.phone.id })).toBe("UNKNOWN_DEVICE");
    expect(await check(await answer({ device: w.mallory.id }, w.mallory), { device: w.mallory.id })).toBe(
      "UNKNOWN_DEVICE",
    );
  });

  test("V28 the origin is the one that was dialled, in one spelling", async () => {
    expect(originOf("https://Cloud.Example:443/trpc?x=1#y")).toBe("https://cloud.example");
    expect(originOf("http://127.0.0.1:8787/")).toBe("http://127.0.0.1:8787");
    for (const url of ["cloud.example", "file:///etc/passwd", "", "wss://cloud.example"])
      expect(codeOf(await outcomeOf(() => originOf(url)))).toBe("BAD_FORMAT");
    expect(codeOf(await outcomeOf(() => answer({ challenge: new Uint8Array(31) })))).toBe("BAD_FORMAT");
  });

  test("V28 what is stored of a token is its hash, and no two are equal", async () => {
    const [one, two] = [newSecret(), newSecret()];
    expect(one).toHaveLength(32);
    expect(await hashSecret(one)).not.toEqual(await hashSecret(two));
    expect(await hashSecret(one)).toEqual(await hashSecret(one.slice()));
  });
});
