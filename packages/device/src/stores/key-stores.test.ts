import { foundVault, Keyring, makeDeviceKeys, newRecoveryCode, readRecoveryCode, recoveryKeys } from "@codehands/vault";
import { IDBFactory, IDBKeyRange, IDBObjectStore } from "fake-indexeddb";
import { beforeAll, expect, test, vi } from "vitest";
import type { KeyStore } from "../ports/key-store.ts";
import { IndexedDbKeyStore } from "./indexed-db-key-store.ts";
import { MemoryKeyStore } from "./memory-key-store.ts";

// A browser has it as a global.
beforeAll(() => void Object.assign(globalThis, { IDBKeyRange }));

const open = (factory = new IDBFactory()) => IndexedDbKeyStore.open({ factory, name: "keys" });
const root = () => ({ epoch: 1, root: crypto.getRandomValues(new Uint8Array(32)) });

test("keys are kept only when they are saved, and only those that were made there", async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  const first = await store.make();
  const keys = await store.make();
  expect(await store.load()).toBeNull();
  await store.save({ keys, roots: [] });
  store.close();
  const again = await open(factory);
  const held = await again.load();
  expect(held?.keys.sign.publicKey).toEqual(keys.sign.publicKey);
  expect(held?.keys.agree.publicKey).toEqual(keys.agree.publicKey);
  for (const strange of [first, await makeDeviceKeys({ extractable: false })])
    await expect(again.save({ keys: strange, roots: [] })).rejects.toMatchObject({ code: "no_keys" });
  expect((await again.load())?.keys.sign.publicKey).toEqual(keys.sign.publicKey);
  again.close();
});

test("V5 no key comes out of a browser's store, root keys neither, and they derive as before", async () => {
  const store = await open();
  const keys = await store.make();
  const secret = await readRecoveryCode(await newRecoveryCode());
  if (!secret.ok) throw new Error(secret.code);
  const founder = await makeDeviceKeys({ extractable: true });
  const { roster, root: bytes } = await foundVault({
    id: crypto.randomUUID(),
    keys: founder,
    platform: "linux",
    recovery: await recoveryKeys(secret.value),
    at: "2026-03-01T12:00:00.000Z",
  });
  await store.save({ keys, roots: [{ epoch: 1, root: bytes }] });
  const held = await store.load();
  const kept = held?.roots[0];
  if (!held || !kept || !("key" in kept)) throw new Error("no root key");
  for (const key of [held.keys.sign.privateKey, held.keys.agree.privateKey, kept.key])
    expect(key.extractable).toBe(false);
  const ring = new Keyring(roster.vault);
  await ring.add(roster, { epoch: 1, root: bytes });
  const other = new Keyring(roster.vault);
  other.restore(1, kept.key);
  const stream = crypto.randomUUID();
  const mac = async (keyring: Keyring) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", await keyring.chain(1, stream), new Uint8Array(4)));
  expect(await mac(other)).toEqual(await mac(ring));
  store.close();
});

test("later roots are saved beside the keys that are held", async () => {
  for (const store of [await open(), new MemoryKeyStore()] satisfies KeyStore[]) {
    const keys = await store.make();
    await store.save({ keys, roots: [root()] });
    const held = await store.load();
    if (held === null) throw new Error("no keys");
    await store.save({ keys: held.keys, roots: [...held.roots, { ...root(), epoch: 2 }] });
    expect((await store.load())?.roots.map(({ epoch }) => epoch)).toEqual([1, 2]);
    await store.clear();
    expect(await store.load()).toBeNull();
  }
});

test("V5 a browser that keeps no keys says so before anything is paired", async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("CryptoKey could not be cloned.", "DataCloneError");
  });
  try {
    await expect(store.make()).rejects.toMatchObject({
      code: "no_keys",
      message: expect.stringContaining("private window"),
    });
  } finally {
    put.mockRestore();
  }
  expect(await store.load()).toBeNull();
  store.close();
});
