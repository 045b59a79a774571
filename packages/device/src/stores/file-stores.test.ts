import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linesOf, OtherDevice, sessionId } from "../replica/other-device.test-kit.ts";
import { accountStoreContract, anAccount } from "./account-contract.test-kit.ts";
import { CONTRACT_DEVICE, deviceStoreContract } from "./device-store-contract.test-kit.ts";
import { FileAccountStore } from "./file-account-store.ts";
import { FileKeyStore } from "./file-key-store.ts";
import { JournalDeviceStore } from "./journal-device-store.ts";
import { openFileStores } from "./open-file-stores.ts";

let folder = "";
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codehands-file-stores-"));
});
afterAll(() => rm(folder, { recursive: true }));
const next = (name: string): string => join(folder, `${++made}-${name}`);
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

deviceStoreContract("journal", {
  durable: true,
  open: async ({ again, accept }) => {
    if (!again) made += 1;
    const path = join(folder, `store-${made}`);
    const store = await JournalDeviceStore.open({ path, deviceId: CONTRACT_DEVICE, accept });
    return { store, close: () => store.close() };
  },
});

accountStoreContract("file", {
  durable: true,
  open: async ({ again, onClear }) => {
    if (!again) made += 1;
    return { store: new FileAccountStore(join(folder, `account-${made}`), onClear), close: () => undefined };
  },
});

test("a transaction that a crash cut short never was, and the next one stands on what was before it", async () => {
  const path = next("journal");
  const open = () => JournalDeviceStore.open({ path, deviceId: CONTRACT_DEVICE });
  const first = await open();
  await new OtherDevice(first).session(1);
  await new OtherDevice(first).arrives(sessionId(1), linesOf(1, 3));
  await first.close();
  await appendFile(path, '{"changes":[{"op":"forget-record","key":{"kind":3,"id":"3f0f');
  const second = await open();
  expect((await second.recordsOf(3)).map(({ id }) => id)).toEqual([sessionId(1)]);
  await new OtherDevice(second).session(2);
  await second.close();
  const third = await open();
  expect(await third.recordsOf(3)).toHaveLength(2);
  expect(await third.eventsOf({ streamId: sessionId(1), after: 0, limit: 9 })).toHaveLength(3);
  await third.close();
  // Opening has written it anew, as one line.
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(2);
});

test("a damaged journal, account or key file is told, and left as it is", async () => {
  const path = next("damaged");
  await writeFile(path, '{"snapshot":\n{}\n');
  await expect(JournalDeviceStore.open({ path, deviceId: CONTRACT_DEVICE })).rejects.toMatchObject({
    code: "broken_store",
  });
  expect(await readFile(path, "utf8")).toBe('{"snapshot":\n{}\n');
  await writeFile(path, '{"v":1,"sign":"secret-to-be');
  await expect(new FileAccountStore(path, async () => {}).load()).rejects.toMatchObject({ code: "broken_store" });
  await expect(new FileKeyStore(path).load()).rejects.toMatchObject({
    code: "broken_store",
    message: expect.not.stringContaining("secret"),
  });
  await writeFile(path, '{"v":1,"sign":"AAAA","agree":"AAAA","roots":[]}');
  await expect(new FileKeyStore(path).load()).rejects.toMatchObject({ code: "no_keys" });
});

test("V5 keys lie in a file of this user alone, come back, and take later roots", async () => {
  const path = next("keys.json");
  const store = new FileKeyStore(path);
  expect(await store.load()).toBeNull();
  const keys = await store.make();
  const root = (epoch: number) => ({ epoch, root: new Uint8Array(32).fill(epoch) });
  await store.save({ keys, roots: [root(1)] });
  expect(await modeOf(path)).toBe("600");
  const held = await new FileKeyStore(path).load();
  if (held === null) throw new Error("no keys");
  expect(held.roots).toEqual([root(1)]);
  expect(held.keys.sign.privateKey.extractable).toBe(false);
  await store.save({ keys: held.keys, roots: [...held.roots, root(2)] });
  const again = await store.load();
  expect(again?.keys.agree.publicKey).toEqual(keys.agree.publicKey);
  expect(again?.roots).toEqual([root(1), root(2)]);
  await store.clear();
  expect(await store.load()).toBeNull();
});

test("a folder is one device in one process at a time, and signing out empties it", async () => {
  const path = next("home");
  const stores = await openFileStores(path);
  expect(await modeOf(path)).toBe("700");
  await expect(openFileStores(path)).rejects.toMatchObject({
    code: "broken_store",
    message: expect.stringContaining(String(process.pid)),
  });
  await stores.account.save(anAccount());
  await new OtherDevice(stores.store).session(1);
  await stores.close();
  const again = await openFileStores(path);
  expect(again.deviceId).toBe(stores.deviceId);
  expect(await again.account.load()).toEqual(anAccount());
  expect(await again.store.allRecords()).toHaveLength(1);
  await again.account.clear();
  expect([await again.account.load(), await again.store.allRecords()]).toEqual([null, []]);
  await again.close();
  // A process that is gone holds nothing.
  await writeFile(join(path, "lock"), "4194999");
  await (await openFileStores(path)).close();
});
