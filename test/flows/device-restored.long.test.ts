import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
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
import { type CloudProcess, openOwnCloudProcess } from "../kit/open-cloud-process.ts";
import { until } from "../kit/temp-home.ts";

const KIND = RECORD_KINDS.session;
let cloud: CloudProcess;
let devices: ReturnType<typeof clientDevices>;
beforeEach(async () => {
  devices = clientDevices();
  cloud = await openOwnCloudProcess();
});
afterEach(async () => {
  await devices.close();
  await cloud.stop();
});

const settled = async ({ device }: TestDevice): Promise<void> => {
  await until(async () => {
    const { state, pendingPush } = await device.sync.now();
    return state === "resting" && pendingPush.events + pendingPush.records === 0;
  }, 60);
};

test("V9 V16 S25 a cloud that was put back gets roster, keys, records and events again, and nobody is accused", async () => {
  const laptop = await devices.open("laptop");
  await signUpWith(laptop, cloud.url);
  const desktop = await devices.open("desktop");
  const desktopId = await pairWith(laptop, desktop, cloud.url);
  const old = randomUUID();
  await writeRecord(laptop, { kind: KIND, id: old, body: { title: "old" } });
  await appendLines(laptop, old, ['{"id":"e1"}', '{"id":"e2"}']);
  await settled(laptop);

  await cloud.rest();
  const copy = `${cloud.dataDir}.copy`;
  cpSync(cloud.dataDir, copy, { recursive: true });
  await cloud.start();

  // What the copy knows nothing of: a device, a removal with its new key, records and events under it.
  const phone = await devices.open("phone");
  await settled(laptop);
  await pairWith(laptop, phone, cloud.url);
  expect(await laptop.device.devices.revoke(desktopId)).toMatchObject({ ok: true });
  const young = randomUUID();
  await writeRecord(phone, { kind: KIND, id: young, body: { title: "young" } });
  await writeRecord(laptop, { kind: KIND, id: old, body: { title: "newer" } });
  await appendLines(laptop, old, ['{"id":"e3"}', '{"id":"e4"}']);
  await settled(laptop);
  await settled(phone);
  await waitForRecord(laptop, { kind: KIND, id: young });

  await cloud.rest();
  rmSync(cloud.dataDir, { recursive: true });
  cpSync(copy, cloud.dataDir, { recursive: true });
  rmSync(copy, { recursive: true });
  await cloud.start(["--restored"]);

  // The cloud does not even know the phone, which speaks first: it hands the roster back.
  await settled(phone);
  await settled(laptop);
  await settled(phone);
  for (const { device, faults } of [laptop, phone]) {
    expect(await device.sync.status()).toMatchObject({ state: "resting", suspicions: [], refused: [], ask: null });
    expect(faults).toEqual([]);
    expect((await device.devices.list()).devices).toHaveLength(3);
  }
  // Whoever joins now finds all of it.
  const tablet = await devices.open("tablet");
  await pairWith(phone, tablet, cloud.url);
  expect(await waitForRecord(tablet, { kind: KIND, id: old })).toContain("newer");
  expect(await waitForRecord(tablet, { kind: KIND, id: young })).toContain("young");
  await followOn(tablet, old, laptop);
  await until(() => linesOn(tablet, old).length === 4);
  expect(linesOn(tablet, old).join("")).toBe('{"id":"e1"}{"id":"e2"}{"id":"e3"}{"id":"e4"}');
  // The one that was removed stays outside.
  await until(async () => (await desktop.device.sync.now()).ask === "revoked");
});
