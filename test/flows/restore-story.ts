import { randomUUID } from "node:crypto";
import { createCloudClient, logIn } from "@codehands/api/cloud-client";
import { askToken } from "@codehands/cloud/test-cloud";
import { RECORD_KINDS } from "@codehands/contracts";
import { fromBase64url } from "@codehands/vault";
import { expect } from "vitest";
import type { clientDevices } from "../kit/client-devices.ts";
import {
  appendLines,
  followOn,
  linesOn,
  newEmail,
  PASSWORD,
  pairWith,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { until } from "../kit/temp-home.ts";

const KIND = RECORD_KINDS.session;
const event = (n: number) => JSON.stringify({ id: `e${n}`, text: `event ${n}` });
const idOf = ({ device }: TestDevice): string => device.writing()?.deviceId ?? "";
const settled = async ({ device }: TestDevice): Promise<boolean> => {
  const { pendingPush, state } = await device.sync.now();
  return pendingPush.events + pendingPush.records === 0 && state === "resting";
};

/** People and devices that live through a restore of their cloud. The three parts are played around it. */
export async function openRestoreStory(cloudUrl: string, devices: ReturnType<typeof clientDevices>) {
  const email = newEmail();
  const [laptop, desktop, phone, watch] = await Promise.all(
    ["laptop", "desktop", "phone", "watch"].map((name) => devices.open(name)),
  );
  if (!laptop || !desktop || !phone || !watch) throw new Error("four were opened");
  await signUpWith(laptop, cloudUrl, email);
  for (const device of [desktop, phone, watch]) await pairWith(laptop, device, cloudUrl);
  const stream = randomUUID();
  const records = { before: randomUUID(), after: randomUUID(), ofDesktop: randomUUID(), later: randomUUID() };
  let tablet: TestDevice | null = null;

  const cutOffByLogin = async (): Promise<void> => {
    const { login } = await logIn(cloudUrl, { email, password: PASSWORD });
    if (login === null) throw new Error("no login");
    await createCloudClient({ url: cloudUrl, login }).devices.revoke.mutate({ deviceId: idOf(watch) });
  };
  /** Somebody who has what lay on the device, and a program that stops for nothing. */
  const thiefWith = async ({ account, keys }: TestDevice): Promise<() => Promise<string>> => {
    const [held, secrets] = [await account.load(), await keys.load()];
    if (held === null || secrets === null) throw new Error("not signed in");
    const wish = { vault: fromBase64url(held.vault), id: held.deviceId, keys: secrets.keys };
    return async () => {
      const answer = await askToken(cloudUrl, wish);
      return answer.ok ? "let in" : answer.code;
    };
  };
  const [asPhone, asWatch] = [await thiefWith(phone), await thiefWith(watch)];

  return {
    async beforeBackup(): Promise<void> {
      await writeRecord(laptop, { kind: KIND, id: records.before, body: { title: "before the backup" } });
      await appendLines(laptop, stream, [1, 2, 3].map(event));
      await waitForRecord(desktop, { kind: KIND, id: records.before });
      await until(() => settled(laptop));
    },
    async afterBackup(): Promise<void> {
      await writeRecord(laptop, { kind: KIND, id: records.after, body: { title: "after the backup" } });
      await appendLines(laptop, stream, [4, 5].map(event));
      await writeRecord(desktop, { kind: KIND, id: records.ofDesktop, body: { title: "of the desktop" } });
      tablet = await devices.open("tablet");
      await pairWith(laptop, tablet, cloudUrl);
      await waitForRecord(tablet, { kind: KIND, id: records.ofDesktop });
      // One is removed by an admin's signature, one is cut off by the login only.
      expect(await laptop.device.devices.revoke(idOf(phone))).toMatchObject({ ok: true });
      await cutOffByLogin();
      expect([await asPhone(), await asWatch()]).toEqual(["REVOKED", "REVOKED"]);
      await until(async () => (await settled(laptop)) && (await settled(desktop)), 60);
    },
    async afterRestore(): Promise<void> {
      for (const { device } of [laptop, desktop]) device.changed();
      await writeRecord(laptop, { kind: KIND, id: records.later, body: { title: "after the restore" } });
      await waitForRecord(desktop, { kind: KIND, id: records.later });
      // The device that was let in since the backup is in again, with the keys it had.
      if (tablet === null) throw new Error("no tablet");
      await tablet.restart();
      await waitForRecord(tablet, { kind: KIND, id: records.later });
      // A new device, which has nothing but what the cloud has, sees everything that was acknowledged.
      const newest = await devices.open("newest");
      await pairWith(laptop, newest, cloudUrl);
      for (const id of Object.values(records)) await waitForRecord(newest, { kind: KIND, id });
      await followOn(newest, stream, laptop);
      await until(() => linesOn(newest, stream).length === 5, 60);
      expect(linesOn(newest, stream)).toEqual([1, 2, 3, 4, 5].map(event));
      // The signed removal came back by itself; what the login did is done again, as the guide says.
      expect([await asPhone(), await asWatch()]).toEqual(["REVOKED", "let in"]);
      await cutOffByLogin();
      expect(await asWatch()).toBe("REVOKED");
    },
  };
}
