import { afterAll, beforeAll, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { signUpWith, type TestDevice } from "../kit/open-client-device.ts";
import { type CloudProcess, fetchFromOwnAddress, openCloudProcess } from "../kit/open-cloud-process.ts";

let cloud: CloudProcess;
let laptop: TestDevice;
/** How often the laptop asked the cloud for each procedure. */
const asked = new Map<string, number>();
const times = (path: string): number => asked.get(path) ?? 0;
let late = 0;
const devices = clientDevices();
beforeAll(async () => {
  cloud = await openCloudProcess();
  const ask = fetchFromOwnAddress();
  laptop = await devices.open("laptop", {
    clock: () => new Date(Date.now() + late).toISOString(),
    fetch(to, init) {
      const { pathname } = new URL(to instanceof Request ? to.url : to);
      for (const path of pathname.split("/").at(-1)?.split(",") ?? []) asked.set(path, times(path) + 1);
      return ask(to, init);
    },
  });
  await signUpWith(laptop, cloud.url);
});
afterAll(async () => {
  await devices.close();
  await cloud.stop();
});

async function begin(name: string) {
  const newcomer = await devices.open(name);
  const begun = await newcomer.device.pair.begin({ cloudUrl: cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, userCode } = begun;
  const digits = async (): Promise<string> => {
    const shown = await newcomer.device.pair.state(pairingId);
    if (shown.state !== "digits") throw new Error(JSON.stringify(shown));
    return shown.digits;
  };
  return { newcomer, pairingId, userCode, digits };
}
const other = (digits: string): string => String((Number(digits) + 1) % 1_000_000).padStart(6, "0");

test("V32 the same code again goes on with the offer that was made, however it is typed, before and after the reveal", async () => {
  const { newcomer, pairingId, userCode, digits } = await begin("newcomer");
  const { pair } = laptop.device;
  const found = await pair.lookUp({ code: userCode });
  if (!found.ok) throw new Error(found.reason);
  const lookups = times("pairing.lookup");
  expect(await pair.lookUp({ code: userCode.toLowerCase().replace("-", " ") })).toMatchObject({ ok: true, pairingId });
  const shown = await digits();
  // The new device has answered; this one has not looked yet.
  late = 30_000;
  const again = await pair.lookUp({ code: userCode });
  expect(again).toMatchObject({ ok: true, pairingId, needsDigits: true });
  expect(again.ok && again.ageSeconds).toBeGreaterThanOrEqual((found.ageSeconds ?? 0) + 30);
  expect(await pair.offered(pairingId)).toMatchObject({ state: "revealed", name: "newcomer" });
  expect(await pair.lookUp({ code: userCode })).toMatchObject({ ok: true, pairingId });
  expect(times("pairing.lookup")).toBe(lookups);
  expect(await digits()).toBe(shown);
  expect(await pair.approve({ pairingId, digits: shown })).toMatchObject({ ok: true, device: { name: "newcomer" } });
  expect(await pair.lookUp({ code: userCode })).toMatchObject({ ok: true, pairingId });
  expect(await pair.offered(pairingId)).toEqual({ state: "approved" });
  expect(await newcomer.device.pair.state(pairingId)).toMatchObject({ state: "let_in" });
});

test("V29 looking the same code up again gives no tries back, and a pairing that is over stays over", async () => {
  const { pairingId, userCode, digits } = await begin("stranger");
  const { pair } = laptop.device;
  await pair.lookUp({ code: userCode });
  const wrong = other(await digits());
  for (const triesLeft of [2, 1, 0]) {
    expect(await pair.lookUp({ code: userCode })).toMatchObject({ ok: true });
    expect(await pair.approve({ pairingId, digits: wrong })).toMatchObject({ code: "PAIR_MISMATCH", triesLeft });
  }
  const offers = times("pairing.offer");
  expect(await pair.lookUp({ code: userCode })).toMatchObject({ ok: false, code: "PAIR_MISMATCH" });
  expect(times("pairing.offer")).toBe(offers);
});

test("V32 two calls side by side for one code make one offer", async () => {
  const { pairingId, userCode, digits } = await begin("twice");
  const { pair } = laptop.device;
  const lookups = times("pairing.lookup");
  const both = await Promise.all([pair.lookUp({ code: userCode }), pair.lookUp({ code: userCode })]);
  expect(both).toMatchObject([
    { ok: true, pairingId },
    { ok: true, pairingId },
  ]);
  expect(times("pairing.lookup")).toBe(lookups + 1);
  expect(await pair.approve({ pairingId, digits: await digits() })).toMatchObject({ ok: true });
});

test("another code ends the pairing before it, and a device that signed out goes on with none", async () => {
  const [first, second] = [await begin("first"), await begin("second")];
  const { pair, account } = laptop.device;
  expect(await pair.lookUp({ code: first.userCode })).toMatchObject({ ok: true });
  expect(await pair.lookUp({ code: second.userCode })).toMatchObject({ ok: true, pairingId: second.pairingId });
  expect(await first.newcomer.device.pair.state(first.pairingId)).toMatchObject({ state: "dead" });
  await account.logOut({ all: false });
  expect(await pair.lookUp({ code: second.userCode })).toMatchObject({ ok: false, code: "no_account" });
});
