import { randomUUID } from "node:crypto";
import { RECORD_KINDS } from "@codehands/contracts";
import { expect, test } from "vitest";
import { clientStage } from "../kit/client-devices.ts";
import {
  appendLines,
  followOn,
  linesOn,
  pairWith,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { until } from "../kit/temp-home.ts";

const KIND = RECORD_KINDS.session;
const stage = clientStage();

/** A device, and a copy of its whole disk as it is now. Both are at rest. */
async function copied(): Promise<{ original: TestDevice; copy: TestDevice; id: string }> {
  const original = await stage.open("laptop");
  await signUpWith(original, stage.cloud.url);
  const id = randomUUID();
  await writeRecord(original, { kind: KIND, id, body: { title: "first" } });
  await appendLines(original, id, ['{"id":"e1"}']);
  await original.device.sync.now();
  await original.device.close();
  const copy = await stage.open("copy");
  await copy.device.close();
  Object.assign(copy.store.data, structuredClone(original.store.data));
  const [account, secrets] = [await original.account.load(), await original.keys.load()];
  if (!account || !secrets) throw new Error("nothing to copy");
  await copy.account.save(account);
  await copy.keys.save(secrets);
  return { original, copy, id };
}

test("S2 S3 V25 two copies of one device: the second stops and asks; as a device of its own it goes on with keys of its own", async () => {
  const { original, copy, id } = await copied();
  await original.restart();
  await original.device.sync.now();
  await copy.restart();
  await until(async () => (await copy.device.sync.status()).ask === "copy");
  expect(await copy.device.sync.status()).toMatchObject({
    state: "stopped",
    error: expect.stringContaining("Another copy"),
  });
  // What both wrote apart.
  await appendLines(original, id, ['{"id":"o2"}']);
  await appendLines(copy, id, ['{"id":"c2"}', '{"id":"c3"}']);
  await original.device.sync.now();
  const before = (await copy.account.load())?.deviceId;
  expect(await copy.device.sync.identity({ as: "new" })).toMatchObject({ ask: null });
  await until(async () => (await copy.device.sync.now()).state === "resting");
  expect(copy.device.writing()?.deviceId).not.toBe(before);
  expect((await original.device.devices.list()).devices.length).toBeLessThanOrEqual(2);
  expect((await copy.device.devices.list()).devices).toHaveLength(2);
  // The log goes on where its owner is; what the copy added is a session of its own.
  await until(() => linesOn(copy, id).join("") === '{"id":"e1"}{"id":"o2"}');
  const forks = [...copy.store.data.logs.values()].filter((log) => log.streamId !== id && log.mine);
  expect(forks.map(({ streamId }) => linesOn(copy, streamId).join(""))).toEqual(['{"id":"c2"}{"id":"c3"}']);
  const fork = forks[0]?.streamId ?? "";
  await waitForRecord(original, { kind: KIND, id: fork });
  await followOn(original, fork, copy);
  await until(() => linesOn(original, fork).length === 2);
  for (const { device } of [original, copy])
    expect(await device.sync.now()).toMatchObject({ refused: [], suspicions: [], ask: null });
});

test("S3 V25 a person who says that this is the device gets a new incarnation, and the other copy is stopped", async () => {
  const { original, copy, id } = await copied();
  await original.restart();
  await original.device.sync.now();
  await copy.restart();
  await until(async () => (await copy.device.sync.status()).ask === "copy");
  const before = (await copy.account.load())?.incarnation;
  await copy.device.sync.identity({ as: "this" });
  await writeRecord(copy, { kind: KIND, id, body: { title: "from the copy" } });
  await until(async () => (await copy.device.sync.now()).state === "resting");
  expect((await copy.account.load())?.incarnation).not.toBe(before);
  await until(async () => (await original.device.sync.now()).ask === "copy");
  const reader = await stage.open("reader");
  await pairWith(copy, reader, stage.cloud.url);
  await until(() => reader.store.data.records.get(`${KIND}:${id}`)?.body?.includes("from the copy") ?? false);
});

test("V25 a database that was put back counts on above what the cloud has of it, and says so", async () => {
  const { original, copy, id } = await copied();
  // The original works on; the copy is what is left of it after a disk was lost.
  await original.restart();
  for (const title of ["second", "third", "fourth"]) {
    await writeRecord(original, { kind: KIND, id, body: { title } });
    await original.device.sync.now();
  }
  await appendLines(original, id, ['{"id":"e2"}']);
  await original.device.sync.now();
  const reader = await stage.open("reader");
  await pairWith(original, reader, stage.cloud.url);
  await until(() => reader.store.data.records.get(`${KIND}:${id}`)?.body?.includes("fourth") ?? false);
  const used = (await original.account.load())?.lastN ?? 0;
  await original.device.close();

  await copy.restart();
  await until(async () => (await copy.device.sync.status()).ask === "copy");
  const before = await copy.account.load();
  await copy.device.sync.identity({ as: "this" });
  await until(async () => (await copy.device.sync.now()).state === "resting");
  await until(() => linesOn(copy, id).length === 2);
  expect(copy.store.data.records.get(`${KIND}:${id}`)?.body).toContain("fourth");
  await writeRecord(copy, { kind: KIND, id, body: { title: "fifth" } });
  await until(() => reader.store.data.records.get(`${KIND}:${id}`)?.body?.includes("fifth") ?? false);
  const after = await copy.account.load();
  expect(after?.incarnation).not.toBe(before?.incarnation);
  expect(after?.lastN).toBeGreaterThan(before?.lastN ?? 0);
  expect(used).toBeGreaterThan(0);
  expect(await reader.device.sync.now()).toMatchObject({ suspicions: [], refused: [] });
});
