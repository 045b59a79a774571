import { beforeAll, describe, expect, test } from "vitest";
import { u32 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { utf8 } from "../bytes/text.ts";
import { uuidBytes } from "../bytes/uuid.ts";
import { outcomeOf } from "../outcome.ts";
import { hmac } from "../primitives/hash.ts";
import { plain, subtle } from "../primitives/web-crypto.ts";
import { buildWorld, codeOf, idOf, type World } from "../vault-world.test-kit.ts";
import { exportDeviceKeys, importDeviceKeys, makeDeviceKeys } from "./device-keys.ts";
import { Keyring } from "./keyring.ts";
import { derivedRecordId } from "./record-id.ts";

let world: World;
beforeAll(async () => {
  world = await buildWorld();
});
const refuses = async (work: () => unknown): Promise<string> => codeOf(await outcomeOf(work));

describe("root keys and what comes from them", () => {
  test("V10 a root that the roster does not commit to is refused", async () => {
    const keys = new Keyring(world.rotated.vault);
    const add = (epoch: number, root: Uint8Array) => refuses(() => keys.add(world.rotated, { epoch, root }));
    expect(await add(1, world.roots[1])).toBe("BAD_ROOT");
    expect(await add(2, new Uint8Array(32))).toBe("BAD_ROOT");
    expect(await add(3, world.roots[1])).toBe("BAD_ROOT");
    expect(await add(1, world.roots[0].slice(1))).toBe("BAD_ROOT");
    expect(keys.has(1)).toBe(false);
    expect(await add(1, world.roots[0])).toBe("ok");
    expect(keys.has(1)).toBe(true);
  });

  test("V11 each purpose, epoch, session, writer and kind has a key of its own, and none can be read out", async () => {
    const { keys } = world;
    const [a, b] = [await idOf("a"), await idOf("b")];
    const macs = [keys.chain(1, a), keys.chain(2, a), keys.chain(1, b), keys.nonce(1, a), keys.nonce(1, b), keys.id()];
    const seen = new Set((await Promise.all(macs.map(async (key) => hmac(await key, utf8("x"))))).map(String));
    expect(seen.size).toBe(macs.length);
    const records = [
      { kind: 3, writer: a },
      { kind: 4, writer: a },
      { kind: 3, writer: b },
    ];
    const aeads = [
      keys.segment(1, a),
      keys.segment(2, a),
      keys.segment(1, b),
      ...records.map((r) => keys.record(1, r)),
    ];
    const encrypt = async (key: Awaited<(typeof aeads)[0]>) =>
      String(new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, plain(utf8("x")))));
    expect(new Set(await Promise.all(aeads.map(async (key) => encrypt(await key)))).size).toBe(aeads.length);
    for (const key of [...macs, ...aeads]) expect((await key).extractable).toBe(false);
  });

  test("V12 V36 without a root there is no key, and after signing out there is none", async () => {
    const keys = new Keyring(world.rotated.vault);
    const key = await keys.add(world.rotated, { epoch: 1, root: world.roots[0] });
    const session = await idOf("session");
    expect(await refuses(() => keys.segment(2, session))).toBe("KEY_MISSING");
    expect(await refuses(() => keys.segment(1, session))).toBe("ok");
    keys.forget();
    expect(await refuses(() => keys.segment(1, session))).toBe("KEY_MISSING");
    keys.restore(1, key);
    expect(await refuses(() => keys.segment(1, session))).toBe("ok");
  });

  test("V11 V33 what a browser keeps of a root gives no root, but a script may derive a leaf and take it along", async () => {
    const root = await new Keyring(world.rotated.vault).add(world.rotated, { epoch: 1, root: world.roots[0] });
    expect(root.extractable).toBe(false);
    expect(root.usages).toEqual(["deriveKey"]);
    await expect(subtle.exportKey("raw", root)).rejects.toThrow();
    const info = joinBytes(label("key/segment"), u32(1), uuidBytes(await idOf("session")));
    const from = { name: "HKDF", hash: "SHA-256", salt: plain(world.rotated.vault), info: plain(info) };
    const stolen = await subtle.deriveKey(from, root, { name: "AES-GCM", length: 256 }, true, ["decrypt"]);
    expect(new Uint8Array(await subtle.exportKey("raw", stolen))).toHaveLength(32);
    await expect(subtle.deriveBits(from, root, 256)).rejects.toThrow();
  });

  test("derived ids are equal everywhere, of their kind and parts, and join without doubt", async () => {
    const id = (kind: number, ...parts: string[]) => derivedRecordId(world.keys, kind, parts);
    expect(await id(2, "repo")).toBe(await id(2, "repo"));
    const others = [id(9, "repo"), id(2, "repo", ""), id(2, "re", "po"), id(2, "r", "epo")];
    const all = new Set([await id(2, "repo"), ...(await Promise.all(others))]);
    expect(all.size).toBe(5);
    expect(await refuses(() => id(2, "a\0b"))).toBe("BAD_FORMAT");
    const other = new Keyring(
      await crypto.subtle.digest("SHA-256", plain(utf8("other vault"))).then((b) => new Uint8Array(b)),
    );
    other.restore(1, await new Keyring(world.founded.vault).add(world.founded, { epoch: 1, root: world.roots[0] }));
    expect(all.has(await derivedRecordId(other, 2, ["repo"]))).toBe(false);
  });

  test("V5 device keys go to a key file and come back, no longer extractable", async () => {
    const keys = await makeDeviceKeys({ extractable: true });
    const back = await importDeviceKeys(await exportDeviceKeys(keys));
    expect([back.sign.publicKey, back.agree.publicKey]).toEqual([keys.sign.publicKey, keys.agree.publicKey]);
    expect(await refuses(() => exportDeviceKeys(back))).toBe("BAD_KEY");
  });
});
