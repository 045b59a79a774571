import { randomUUID } from "node:crypto";
import { RECORD_KINDS } from "@codehands/contracts";
import { foldRoster, fromBase64url, inspectItem, Keyring, openRecord } from "@codehands/vault";
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

const stage = clientStage();

async function three(): Promise<[TestDevice, TestDevice, TestDevice]> {
  const [laptop, desktop, phone] = await Promise.all(["laptop", "desktop", "phone"].map((name) => stage.open(name)));
  if (!laptop || !desktop || !phone) throw new Error("three were opened");
  await signUpWith(laptop, stage.cloud.url);
  await pairWith(laptop, desktop, stage.cloud.url);
  await pairWith(laptop, phone, stage.cloud.url);
  return [laptop, desktop, phone];
}

const epochOf = async (item: string): Promise<number> => {
  const facts = await inspectItem(fromBase64url(item));
  return facts.ok ? facts.value.header.epoch : 0;
};

test("V7 V8 V12 a device that is removed in the middle of its work keeps what it has and gets nothing more", async () => {
  const [laptop, desktop, phone] = await three();
  const id = randomUUID();
  const key = { kind: RECORD_KINDS.session, id };
  await writeRecord(laptop, { ...key, body: { title: "before" } });
  await appendLines(laptop, id, ['{"id":"e1"}', '{"id":"e2"}']);
  await followOn(desktop, id, laptop);
  await waitForRecord(desktop, { kind: RECORD_KINDS.session, id });
  await until(() => linesOn(desktop, id).length === 2);

  const desktopId = desktop.device.writing()?.deviceId ?? "";
  // It has something on its way while it is removed.
  const lost = randomUUID();
  const [removed] = await Promise.all([
    phone.device.devices.revoke(desktopId),
    writeRecord(desktop, { kind: RECORD_KINDS.session, id: lost, body: { title: "unsent" } }),
  ]);
  expect(removed).toMatchObject({ ok: true });
  await until(async () => (await desktop.device.sync.status()).ask === "revoked");
  expect(await desktop.device.sync.status()).toMatchObject({ state: "stopped" });
  expect(await desktop.device.account.status()).toMatchObject({
    state: "stopped",
    reason: expect.stringContaining("kept"),
  });
  expect(linesOn(desktop, id)).toEqual(['{"id":"e1"}', '{"id":"e2"}']);
  expect(desktop.store.data.records.get(`${RECORD_KINDS.session}:${lost}`)?.body).toContain("unsent");

  // What is written now is sealed under a key that the removed device never had; the others read it.
  await until(async () => (await laptop.device.devices.list()).devices.some((each) => each.revokedAt !== null));
  await writeRecord(laptop, { kind: RECORD_KINDS.session, id, body: { title: "after" } });
  await appendLines(laptop, id, ['{"id":"e3"}']);
  await followOn(phone, id, laptop);
  await until(() => linesOn(phone, id).length === 3);
  await until(() => phone.store.data.records.get(`3:${id}`)?.body?.includes("after") ?? false);
  const held = phone.store.data.records.get(`3:${id}`);
  expect(await epochOf(held?.item ?? "")).toBe(2);
  // With all that it has, the removed device opens the old one and not the new one.
  const roster = await foldRoster((await laptop.account.load())?.statements ?? []);
  if (!roster.ok) throw new Error(roster.code);
  const ring = new Keyring(roster.value.vault);
  for (const root of (await desktop.keys.load())?.roots ?? []) if ("root" in root) await ring.add(roster.value, root);
  const openAs = async (item: string) => openRecord({ roster: roster.value, keys: ring }, fromBase64url(item), key);
  expect(await openAs(held?.item ?? "")).toMatchObject({ ok: false, code: "KEY_MISSING" });
  expect(await openAs(desktop.store.data.records.get(`3:${id}`)?.item ?? "")).toMatchObject({ ok: true });

  // Twice is once; a name that nobody has is told.
  expect(await laptop.device.devices.revoke(desktopId)).toMatchObject({ ok: true });
  expect(await laptop.device.devices.revoke(randomUUID())).toMatchObject({ ok: false, code: "not_found" });
  const own = laptop.device.writing()?.deviceId ?? "";
  expect(await laptop.device.devices.revoke(own)).toMatchObject({ ok: false, code: "own_device" });
});

test("V12 V19 what a device wrote before it heard of a new key is chained and sealed anew, in its old order", async () => {
  const [laptop, desktop, phone] = await three();
  const id = randomUUID();
  await writeRecord(laptop, { kind: RECORD_KINDS.session, id, body: { title: "running" } });
  await appendLines(laptop, id, ['{"id":"e1"}']);
  await laptop.device.sync.now();
  await laptop.device.sync.pause();
  await appendLines(laptop, id, ['{"id":"e2"}', '{"id":"e3"}']);
  await writeRecord(laptop, { kind: RECORD_KINDS.session, id, body: { title: "away" } });
  const desktopId = desktop.device.writing()?.deviceId ?? "";
  expect(await phone.device.devices.revoke(desktopId)).toMatchObject({ ok: true });
  await laptop.device.sync.resume();
  await appendLines(laptop, id, ['{"id":"e4"}']);
  await followOn(phone, id, laptop);
  await until(() => linesOn(phone, id).length === 4);
  expect(linesOn(phone, id).join("")).toBe('{"id":"e1"}{"id":"e2"}{"id":"e3"}{"id":"e4"}');
  await until(() => phone.store.data.records.get(`3:${id}`)?.body?.includes("away") ?? false);
  expect(await laptop.device.sync.now()).toMatchObject({ state: "resting", pendingPush: { events: 0, records: 0 } });
  expect(laptop.faults).toEqual([]);
});

test("V8 two admins who remove two devices at the same moment both succeed", async () => {
  const [laptop, desktop, phone] = await three();
  const [first, second] = await Promise.all(["first", "second"].map((name) => stage.open(name)));
  if (!first || !second) throw new Error("two were opened");
  const ids = [await pairWith(laptop, first, stage.cloud.url), await pairWith(laptop, second, stage.cloud.url)];
  const answers = await Promise.all([
    laptop.device.devices.revoke(ids[0] ?? ""),
    desktop.device.devices.revoke(ids[1] ?? ""),
  ]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
  await phone.device.sync.now();
  const { devices: listed } = await phone.device.devices.list();
  expect(
    listed
      .filter(({ revokedAt }) => revokedAt !== null)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...ids].sort());
  const prints = await Promise.all(
    [laptop, desktop, phone].map(async ({ device }) => {
      await device.sync.now();
      return device.devices.fingerprint();
    }),
  );
  expect(new Set(prints.map((print) => print?.fingerprint)).size).toBe(1);
  expect(prints[0]).toMatchObject({ devices: 3, fingerprint: expect.stringMatching(/^([0-9A-Z]{5}-){3}[0-9A-Z]{5}$/) });
});

test("a device is renamed in its own signed record, and the others see it", async () => {
  const [laptop, desktop] = await three();
  expect(await laptop.device.devices.rename("  kitchen  ")).toMatchObject({ ok: true });
  const id = laptop.device.writing()?.deviceId;
  const nameOn = async ({ device }: TestDevice) =>
    (await device.devices.list()).devices.find((each) => each.id === id)?.name;
  expect(await nameOn(laptop)).toBe("kitchen");
  await until(async () => (await nameOn(desktop)) === "kitchen");
  await laptop.restart();
  await laptop.device.sync.now();
  expect(await nameOn(laptop)).toBe("kitchen");
});
