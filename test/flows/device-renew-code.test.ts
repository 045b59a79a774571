import { expect, test } from "vitest";
import { clientStage } from "../kit/client-devices.ts";
import { openFaultyFetch } from "../kit/faulty-fetch.ts";
import { newEmail, PASSWORD, signUpWith } from "../kit/open-client-device.ts";
import { fetchFromOwnAddress } from "../kit/open-cloud-process.ts";

const stage = clientStage();

test("V34 a code that was never shown is replaced by an admin: the new one opens the account, the old one nothing", async () => {
  const laptop = await stage.open("laptop");
  const email = newEmail();
  const lost = await signUpWith(laptop, stage.cloud.url, email);
  const renewed = await laptop.device.account.renewCode();
  if (!renewed.ok) throw new Error(renewed.reason);
  expect(renewed.recoveryCode).toMatch(/^([0-9A-Z]{5}-){5}[0-9A-Z]{5}$/);
  expect(renewed.recoveryCode).not.toBe(lost);

  const next = await stage.open("next");
  const credentials = { cloudUrl: stage.cloud.url, email, password: PASSWORD };
  expect(await next.device.account.recover({ ...credentials, code: lost })).toMatchObject({
    ok: false,
    code: "bad_code",
  });
  expect(await next.device.account.recover({ ...credentials, code: renewed.recoveryCode })).toMatchObject({ ok: true });
  expect((await laptop.device.sync.now()).suspicions).toEqual([]);
});

test("V34 the answer of the cloud may be lost: the code that is shown is the one that counts", async () => {
  const net = openFaultyFetch(fetchFromOwnAddress());
  const laptop = await stage.open("laptop", { fetch: net.fetch });
  const email = newEmail();
  await signUpWith(laptop, stage.cloud.url, email);
  net.loseAnswer("roster.append");
  const renewed = await laptop.device.account.renewCode();
  if (!renewed.ok) throw new Error(renewed.reason);
  const next = await stage.open("next");
  const code = renewed.recoveryCode;
  expect(
    await next.device.account.recover({ cloudUrl: stage.cloud.url, email, password: PASSWORD, code }),
  ).toMatchObject({
    ok: true,
  });
});

test("V33 a device that only commands makes no code, and the one there is still counts", async () => {
  const laptop = await stage.open("laptop");
  const email = newEmail();
  const code = await signUpWith(laptop, stage.cloud.url, email);
  const page = await stage.open("page", { kind: "browser" });
  const begun = await page.device.pair.begin({ cloudUrl: stage.cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  await laptop.device.pair.lookUp({ qrText: begun.qrText });
  await page.device.pair.state(begun.pairingId);
  await laptop.device.pair.approve({ pairingId: begun.pairingId });
  expect(await page.device.pair.state(begun.pairingId)).toMatchObject({ state: "joined" });
  expect(await page.device.account.renewCode()).toMatchObject({
    ok: false,
    code: "refused",
    reason: expect.stringContaining("it is no admin of the account"),
  });
  const next = await stage.open("next");
  expect(
    await next.device.account.recover({ cloudUrl: stage.cloud.url, email, password: PASSWORD, code }),
  ).toMatchObject({
    ok: true,
  });
});
