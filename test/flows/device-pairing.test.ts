import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { openFaultyFetch } from "../kit/faulty-fetch.ts";
import { pairWith, signUpWith, type TestDevice, waitForRecord, writeRecord } from "../kit/open-client-device.ts";
import { type CloudProcess, fetchFromOwnAddress, openCloudProcess } from "../kit/open-cloud-process.ts";

let cloud: CloudProcess;
let laptop: TestDevice;
const devices = clientDevices();
beforeAll(async () => {
  cloud = await openCloudProcess();
  laptop = await devices.open("laptop");
  await signUpWith(laptop, cloud.url);
});
afterAll(async () => {
  await devices.close();
  await cloud.stop();
});

/** A pairing that has come to its digits. */
async function toDigits(newcomer: TestDevice): Promise<{ pairingId: string; digits: string }> {
  const begun = await newcomer.device.pair.begin({ cloudUrl: cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, userCode } = begun;
  const found = await laptop.device.pair.lookUp({ code: userCode.toLowerCase().replace("-", " ") });
  expect(found).toMatchObject({ ok: true, pairingId, needsDigits: true, platform: newcomer.options.about.platform });
  const shown = await newcomer.device.pair.state(pairingId);
  if (shown.state !== "digits") throw new Error(JSON.stringify(shown));
  return { pairingId, digits: shown.digits };
}

const other = (digits: string): string => String((Number(digits) + 1) % 1_000_000).padStart(6, "0");

test("V31 a QR needs no digits and no yes, and the device begins to sync at once", async () => {
  const id = randomUUID();
  await writeRecord(laptop, { kind: 3, id, body: { title: "Fix the date bug" } });
  const phone = await devices.open("phone", { kind: "browser" });
  const begun = await phone.device.pair.begin({ cloudUrl: cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, qrText } = begun;
  expect(qrText.startsWith(`${cloud.url}/pair#1.`)).toBe(true);
  expect(await laptop.device.pair.lookUp({ qrText: qrText.replace(cloud.url, "https://example.org") })).toMatchObject({
    ok: false,
    code: "other_cloud",
  });
  expect(await laptop.device.pair.lookUp({ qrText })).toMatchObject({ ok: true, pairingId, needsDigits: false });
  expect(await phone.device.pair.state(pairingId)).toEqual({ state: "waiting" });
  expect(await laptop.device.pair.offered(pairingId)).toEqual({ state: "revealed", name: "phone", platform: "web" });
  expect(await laptop.device.pair.approve({ pairingId })).toMatchObject({ ok: true, device: { name: "phone" } });
  expect(await phone.device.pair.state(pairingId)).toMatchObject({ state: "joined" });
  // V33: a page that a cloud serves may send commands only.
  expect(await phone.device.account.status()).toMatchObject({ state: "active", roles: ["command"] });
  expect(await waitForRecord(phone, { kind: 3, id })).toContain("date bug");
});

test("V29 wrong digits: three tries, then the pairing is over and nothing was shared", async () => {
  const stranger = await devices.open("stranger");
  const { pairingId, digits } = await toDigits(stranger);
  for (const triesLeft of [2, 1, 0]) {
    const typed = await laptop.device.pair.approve({ pairingId, digits: other(digits) });
    expect(typed).toMatchObject({ ok: false, code: "PAIR_MISMATCH", triesLeft });
  }
  expect(await laptop.device.pair.approve({ pairingId, digits })).toMatchObject({ ok: false, code: "PAIR_MISMATCH" });
  expect(await laptop.device.pair.offered(pairingId)).toMatchObject({ state: "dead", code: "PAIR_MISMATCH" });
  expect(await stranger.device.pair.state(pairingId)).toMatchObject({ state: "dead" });
  expect(await stranger.keys.load()).toBeNull();
  // A new pairing of the same device succeeds.
  await pairWith(laptop, stranger, cloud.url);
});

test("V29 one wrong try is forgiven, and roles can be fewer", async () => {
  const tablet = await devices.open("tablet");
  const { pairingId, digits } = await toDigits(tablet);
  await laptop.device.pair.approve({ pairingId, digits: other(digits) });
  expect(await laptop.device.pair.approve({ pairingId, digits, roles: ["command"] })).toMatchObject({ ok: true });
  const letIn = await tablet.device.pair.state(pairingId);
  expect(letIn).toEqual({ state: "let_in", digits, letInBy: "laptop", askPerson: true });
  // V30: nothing is stored before the person's yes.
  expect(await tablet.keys.load()).toBeNull();
  expect(await tablet.account.load()).toBeNull();
  expect(await tablet.device.pair.accept(pairingId)).toMatchObject({ state: "joined" });
  expect(await tablet.device.account.status()).toMatchObject({ roles: ["command"] });
  const begun = await (await devices.open("third")).device.pair.begin({ cloudUrl: cloud.url });
  const refused = await tablet.device.pair.lookUp({ code: begun.ok ? begun.userCode : "" });
  expect(refused).toMatchObject({ ok: false, code: "NOT_ALLOWED" });
});

test("V30 a no after “let in by” stores nothing, and the device pairs under another id", async () => {
  const newcomer = await devices.open("newcomer");
  const { pairingId, digits } = await toDigits(newcomer);
  const approved = await laptop.device.pair.approve({ pairingId, digits });
  expect(await newcomer.device.pair.state(pairingId)).toMatchObject({ state: "let_in" });
  await newcomer.device.pair.cancel(pairingId);
  expect(await newcomer.device.pair.accept(pairingId)).toMatchObject({ state: "dead" });
  expect(await newcomer.keys.load()).toBeNull();
  const joined = await pairWith(laptop, newcomer, cloud.url);
  expect(joined).not.toBe(approved.ok ? approved.device?.id : "");
});

test("V32 every step may lose its answer once, on either side", async () => {
  const [inner, outer] = [openFaultyFetch(fetchFromOwnAddress()), openFaultyFetch(fetchFromOwnAddress())];
  const admin = await devices.open("admin", { fetch: inner.fetch });
  await signUpWith(admin, cloud.url);
  const newcomer = await devices.open("newcomer", { fetch: outer.fetch });
  for (const path of ["pairing.start", "pairing.poll", "pairing.reveal", "pairing.redeem"]) outer.loseAnswer(path);
  for (const path of ["pairing.offer", "pairing.offered", "pairing.approve"]) inner.loseAnswer(path);
  const { pair } = newcomer.device;
  expect(await pair.begin({ cloudUrl: cloud.url })).toMatchObject({ ok: false, code: "unreachable" });
  const begun = await pair.begin({ cloudUrl: cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, userCode } = begun;
  expect(await admin.device.pair.lookUp({ code: userCode })).toMatchObject({ ok: false, code: "unreachable" });
  expect(await admin.device.pair.lookUp({ code: userCode })).toMatchObject({ ok: true });
  const states = [];
  for (let asked = 0; asked < 3; asked++) states.push(await pair.state(pairingId));
  const shown = states.at(-1);
  if (shown?.state !== "digits") throw new Error(JSON.stringify(states));
  expect(await admin.device.pair.offered(pairingId)).toEqual({ state: "waiting" });
  expect(await admin.device.pair.approve({ pairingId, digits: shown.digits })).toMatchObject({ ok: true });
  // The cloud hands it over once. The answer is lost, and the device reads it as the member that it is.
  expect(await pair.state(pairingId)).toMatchObject({ state: "digits" });
  expect(await pair.state(pairingId)).toMatchObject({ state: "let_in", letInBy: "admin" });
  expect(await pair.accept(pairingId)).toMatchObject({ state: "joined" });
  expect((await admin.device.devices.list()).devices).toHaveLength(2);
});

test("V32 ten minutes by the device's own clock end a pairing, whatever the cloud says", async () => {
  let late = 0;
  const slow = await devices.open("slow", { clock: () => new Date(Date.now() + late).toISOString() });
  const { pairingId, digits } = await toDigits(slow);
  expect(await laptop.device.pair.approve({ pairingId, digits })).toMatchObject({ ok: true });
  late = 11 * 60_000;
  expect(await slow.device.pair.state(pairingId)).toMatchObject({ state: "dead", code: "PAIR_EXPIRED" });
  expect(await slow.keys.load()).toBeNull();
});

test("a code that nobody began, and what is no code at all", async () => {
  expect(await laptop.device.pair.lookUp({ code: "ABCD-EFGH" })).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
  expect(await laptop.device.pair.lookUp({ code: "what?" })).toMatchObject({ ok: false, code: "BAD_FORMAT" });
  expect(await laptop.device.pair.state(randomUUID())).toMatchObject({ state: "dead" });
  const stranger = await devices.open("stranger");
  expect(await stranger.device.pair.lookUp({ code: "ABCD-EFGH" })).toMatchObject({ ok: false, code: "no_account" });
});
