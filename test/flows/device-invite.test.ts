/** An invitation: the signed-in side shows it, the new device answers it, and the digits still decide. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { openFaultyFetch } from "../kit/faulty-fetch.ts";
import { openMachine, parse, signUp } from "../kit/many-homes.ts";
import { signUpWith, type TestDevice } from "../kit/open-client-device.ts";
import { type CloudProcess, fetchFromOwnAddress, openCloudProcess } from "../kit/open-cloud-process.ts";
import { type TempHome, until } from "../kit/temp-home.ts";

let cloud: CloudProcess;
let laptop: TestDevice;
const devices = clientDevices();
const machines: TempHome[] = [];
beforeAll(async () => {
  cloud = await openCloudProcess();
  laptop = await devices.open("laptop");
  await signUpWith(laptop, cloud.url);
});
afterAll(async () => {
  await devices.close();
  await Promise.all(machines.map((each) => each.remove()));
  await cloud.stop();
});

async function invite({ device }: TestDevice = laptop) {
  const made = await device.pair.invite();
  if (!made.ok) throw new Error(made.reason);
  return made;
}

async function answer({ device }: TestDevice, invitation: string): Promise<string> {
  const begun = await device.pair.begin({ cloudUrl: cloud.url, invitation });
  if (!begun.ok) throw new Error(`${begun.code} ${begun.reason}`);
  return begun.pairingId;
}

test("V29 an invitation takes the place of the code, and the digits stay", async () => {
  const { invitation, qrText, expiresAt } = await invite();
  expect(qrText).toBe(`${cloud.url}/pair#i.${invitation}`);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  expect(await laptop.device.pair.invited(invitation)).toEqual({ state: "waiting" });
  const phone = await devices.open("phone", { kind: "browser" });
  const pairingId = await answer(phone, qrText);
  const found = { state: "found", pairingId, platform: "web", place: expect.any(String) };
  expect(await laptop.device.pair.invited(invitation)).toMatchObject(found);
  // Asked again it says the same, and makes no second offer.
  expect(await laptop.device.pair.invited(invitation)).toMatchObject(found);
  const shown = await phone.device.pair.state(pairingId);
  if (shown.state !== "digits") throw new Error(JSON.stringify(shown));
  expect(await laptop.device.pair.offered(pairingId)).toEqual({ state: "revealed", name: "phone", platform: "web" });
  expect(await laptop.device.pair.approve({ pairingId })).toMatchObject({ ok: false, code: "PAIR_MISMATCH" });
  expect(await laptop.device.pair.approve({ pairingId, digits: shown.digits })).toMatchObject({ ok: true });
  expect(await phone.device.pair.state(pairingId)).toMatchObject({ state: "let_in", askPerson: true });
  expect(await phone.device.pair.accept(pairingId)).toMatchObject({ state: "joined" });
  expect(await phone.device.account.status()).toMatchObject({ state: "active", roles: ["command"] });
});

test("V29 a thief with the invitation gets a row that the person refuses, and no key", async () => {
  const { invitation } = await invite();
  const thief = await devices.open("thief");
  const pairingId = await answer(thief, invitation);
  const owner = await devices.open("owner");
  const late = await owner.device.pair.begin({ cloudUrl: cloud.url, invitation });
  expect(late).toMatchObject({ ok: false, code: "INVITATION_GONE" });
  expect(await laptop.device.pair.invited(invitation)).toMatchObject({ state: "found", pairingId });
  expect(await thief.device.pair.state(pairingId)).toMatchObject({ state: "digits" });
  await laptop.device.pair.offered(pairingId);
  // The person sees no digits on a device in the hand, and says no.
  await laptop.device.pair.cancel(pairingId);
  expect(await thief.device.pair.state(pairingId)).toMatchObject({ state: "dead" });
  expect(await thief.keys.load()).toBeNull();
});

test("one invitation at a time: a new one ends the old, and one can be taken back", async () => {
  const [first, second] = [await invite(), await invite()];
  const newcomer = await devices.open("newcomer");
  const begin = (invitation: string) => newcomer.device.pair.begin({ cloudUrl: cloud.url, invitation });
  expect(await begin(first.qrText)).toMatchObject({ ok: false, code: "INVITATION_GONE" });
  expect(await laptop.device.pair.invited(first.invitation)).toMatchObject({ state: "dead", code: "INVITATION_GONE" });
  await laptop.device.pair.cancel(second.invitation);
  expect(await begin(second.qrText)).toMatchObject({ ok: false, code: "INVITATION_GONE" });
  expect(await laptop.device.pair.invited(second.invitation)).toMatchObject({ state: "dead" });
});

test("what is no invitation, or is of another cloud, is said before anything is asked", async () => {
  const newcomer = await devices.open("newcomer");
  const begin = (invitation: string) => newcomer.device.pair.begin({ cloudUrl: cloud.url, invitation });
  expect(await begin("ABCD-EFGH")).toMatchObject({ ok: false, code: "BAD_FORMAT" });
  const other = `https://example.org/pair#i.${randomBytes(16).toString("base64url")}`;
  expect(await begin(other)).toMatchObject({ ok: false, code: "other_cloud" });
  expect(await newcomer.device.pair.invite()).toMatchObject({ ok: false, code: "no_account" });
});

test("V32 every step of an inviter may lose its answer once", async () => {
  const faulty = openFaultyFetch(fetchFromOwnAddress());
  const admin = await devices.open("admin", { fetch: faulty.fetch });
  await signUpWith(admin, cloud.url);
  for (const path of ["pairing.invite", "pairing.invited", "pairing.offer"]) faulty.loseAnswer(path);
  expect(await admin.device.pair.invite()).toMatchObject({ ok: false, code: "unreachable" });
  const { invitation } = await invite(admin);
  const newcomer = await devices.open("newcomer");
  const pairingId = await answer(newcomer, invitation);
  const states = [];
  for (let asked = 0; asked < 3; asked++) states.push((await admin.device.pair.invited(invitation)).state);
  expect(states).toEqual(["waiting", "waiting", "found"]);
  expect(await newcomer.device.pair.state(pairingId)).toMatchObject({ state: "digits" });
});

test("laptop and desk as programs: pair --phone, pair --invitation, digits, joined", async () => {
  const [first, desk, third] = [machine(), machine(), machine()];
  await signUp(first, cloud.url, "invites@example.org");
  const inviting = first.spawnCli(["pair", "--phone", "--json"], { stdin: "pipe" });
  const invited = linesOf(inviting);
  const { qrText = "" } = await invited("invitation");
  const joining = desk.spawnCli(["pair", "--invitation", qrText, "--yes", "--json"]);
  const joined = linesOf(joining);
  const { digits = "" } = await joined("digits");
  expect(await invited("asks")).toMatchObject({ platform: process.platform });
  inviting.stdin?.end(`${digits}\n`);
  const { deviceId } = await joined("joined");
  expect((await invited("approved"))["device"]).toMatchObject({ id: deviceId });
  expect((await inviting).exitCode).toBe(0);
  expect((await joining).exitCode).toBe(0);
  const { devices: listed } = parse(await first.cli(["devices", "ls", "--json"])) as { devices: { id: string }[] };
  expect(listed.map(({ id }) => id)).toContain(deviceId);
  const again = await third.cli(["pair", "--invitation", qrText, "--yes", "--json"]);
  expect(again.exitCode).toBe(5);
  expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: "INVITATION_GONE" } });
});

function machine(): TempHome {
  const opened = openMachine();
  machines.push(opened);
  return opened;
}

/** Waits for a line of this type on a program's stdout; fails with what it said when it ended without one. */
function linesOf(program: ReturnType<TempHome["spawnCli"]>): (type: string) => Promise<Record<string, string>> {
  const lines: Record<string, string>[] = [];
  let rest = "";
  program.stdout?.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.filter(Boolean).map((line) => JSON.parse(line) as Record<string, string>));
  });
  return async (type) => {
    const found = () => lines.find((each) => each["type"] === type);
    await until(() => found() !== undefined || program.exitCode !== null, 30);
    const line = found();
    if (line === undefined) throw new Error(`it never said "${type}": ${String((await program).stderr)}`);
    return line;
  };
}
