import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKeyFile } from "./key-file.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-keys-"));
  file = join(folder, "keys.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const root = (byte: number) => new Uint8Array(32).fill(byte);
async function stored() {
  const store = createKeyFile(file);
  const keys = await store.make();
  await store.save({ keys, roots: [{ epoch: 1, root: root(7) }] });
  return { store, keys };
}

describe("V5 the key file", () => {
  it("holds what was saved, for this user alone, and nothing beside it", async () => {
    const { store, keys } = await stored();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
    const loaded = await store.load();
    expect(loaded?.roots).toEqual([{ epoch: 1, root: root(7) }]);
    expect(loaded?.keys.sign.publicKey).toEqual(keys.sign.publicKey);
    expect(loaded?.keys.agree.publicKey).toEqual(keys.agree.publicKey);
    expect(loaded?.keys.sign.privateKey.extractable).toBe(false);
  });

  it("takes a new root together with keys that no longer tell their seeds", async () => {
    const { store } = await stored();
    const loaded = await store.load();
    if (loaded === null) throw new Error("no keys");
    await store.save({ keys: loaded.keys, roots: [...loaded.roots, { epoch: 2, root: root(8) }] });
    const again = await createKeyFile(file).load();
    expect(again?.roots.map(({ epoch }) => epoch)).toEqual([1, 2]);
    expect(again?.keys.sign.publicKey).toEqual(loaded.keys.sign.publicKey);
  });

  it("never writes seeds of one device beside the public keys of another", async () => {
    const { store } = await stored();
    const loaded = await store.load();
    const before = readFileSync(file, "utf8");
    const other = createKeyFile(join(folder, "other.json"));
    await other.save({ keys: await other.make(), roots: [] });
    const stranger = await other.load();
    if (loaded === null || stranger === null) throw new Error("no keys");
    await expect(store.save({ keys: stranger.keys, roots: loaded.roots })).rejects.toThrow(/keys of another device/);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("is null where there is none, and after it was cleared", async () => {
    expect(await createKeyFile(file).load()).toBeNull();
    const { store } = await stored();
    await store.clear();
    expect(await store.load()).toBeNull();
    await store.clear();
  });

  it.each([0o640, 0o604, 0o660, 0o666])(
    "refuses a file that others may open (%o), and leaves it as it is",
    async (mode) => {
      const { store } = await stored();
      chmodSync(file, mode);
      const text = readFileSync(file, "utf8");
      await expect(store.load()).rejects.toMatchObject({
        code: "no_keys",
        message: expect.stringMatching(/other users.*chmod 600.*log in again/),
      });
      expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([text, mode]);
    },
  );

  it("refuses what is damaged and what is no plain file, and tells none of its words (V36)", async () => {
    const { store } = await stored();
    const secret = (JSON.parse(readFileSync(file, "utf8")) as { sign: string }).sign;
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -30), { mode: 0o600 });
    const fault = await store.load().catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "no_keys" });
    expect(String(fault)).not.toContain(secret);
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    await expect(createKeyFile(link).load()).rejects.toMatchObject({ code: "no_keys" });
  });
});
