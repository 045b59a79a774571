import { randomUUID } from "node:crypto";
import { makeDeviceKeys, signChallenge, startEpoch, toBase64url } from "@codehands/vault";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askToken,
  clientOf,
  foundAccount,
  openDevice,
  openTestCloud,
  type TestAccount,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { letIn } from "../pairing/let-in.test-kit.ts";

let cloud: TestCloud;
let account: TestAccount;
beforeAll(async () => {
  cloud = await openTestCloud();
  account = await foundAccount(cloud.url);
});
afterAll(() => cloud.close());

const me = () => ({ vault: account.roster.vault, id: account.device.id, keys: account.device.keys });
const secondDevice = async () => {
  const { started, roster } = await letIn(cloud.url, account);
  account.roster = roster;
  const { id, keys } = started.newcomer;
  return openDevice(cloud.url, { vault: roster.vault, id, keys });
};

test("V28 a signature for another origin, or by another key, gives no token", async () => {
  const evil = await askToken(cloud.url, { ...me(), origin: "https://cloud.example" });
  expect(evil).toMatchObject({ ok: false, code: "BAD_SIGNATURE" });
  const keys = await makeDeviceKeys({ extractable: true });
  expect(await askToken(cloud.url, { ...me(), keys })).toMatchObject({ ok: false, code: "BAD_SIGNATURE" });
  expect(await askToken(cloud.url, { ...me(), id: randomUUID() })).toMatchObject({ ok: false, code: "UNKNOWN" });
  expect(await askToken(cloud.url, { ...me(), vault: new Uint8Array(16) })).toMatchObject({ code: "UNKNOWN" });
});

test("V28 a challenge works once, for one device, and for 60 s", async () => {
  const { client, id, keys } = account.device;
  const vault = account.roster.vault;
  const vaultId = toBase64url(vault);
  const fresh = async () => {
    const { challenge, expiresAt } = await client.devices.challenge.mutate({ vaultId, deviceId: id });
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeGreaterThan(30_000);
    expect(left).toBeLessThan(90_000);
    const about = { origin: cloud.url, vault, device: id, challenge: Buffer.from(challenge, "base64url") };
    const signature = toBase64url(await signChallenge(about, keys.sign.privateKey));
    return { vaultId, deviceId: id, challenge, signature };
  };
  const once = await fresh();
  const both = await Promise.all([client.devices.token.mutate(once), client.devices.token.mutate(once)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await client.devices.token.mutate(once)).toMatchObject({ code: "EXPIRED" });
  const late = await fresh();
  await cloud.sql`update challenges set expires_at = now() where device_id = ${id}`;
  expect(await client.devices.token.mutate(late)).toMatchObject({ code: "EXPIRED" });
});

test("V28 tokens are stored as hashes and end after an hour by the cloud's clock", async () => {
  const device = await openDevice(cloud.url, me());
  const [row] = await cloud.sql<{ left: number }[]>`
    select extract(epoch from max(expires_at) - now())::float8 as left from access_tokens where device_id = ${device.id}`;
  expect(row?.left).toBeGreaterThan(3_500);
  expect(row?.left).toBeLessThanOrEqual(3_600);
  const dump = await cloud.sql`select encode(hash, 'hex') as hash from access_tokens`;
  expect(JSON.stringify(dump)).not.toContain(Buffer.from(device.token, "base64url").toString("hex"));
  expect(await device.client.accounts.status.query()).toMatchObject({ rosterSeq: account.roster.seq });
  await cloud.sql`update access_tokens set expires_at = now() where device_id = ${device.id}`;
  await expect(device.client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
  account.device = await openDevice(cloud.url, me());
});

test("F32 a device that a login cuts off is refused with its next call and is told why it gets no token", async () => {
  const device = await secondDevice();
  expect(await device.client.roster.get.query({})).toMatchObject({ seq: account.roster.seq });
  const answer = await account.person.client.devices.revoke.mutate({ deviceId: device.id });
  expect(answer).toEqual({ ok: true, rosterPending: true });
  await expect(device.client.roster.get.query({})).rejects.toMatchObject({ code: "unauthorized" });
  expect(await askToken(cloud.url, { ...me(), id: device.id, keys: device.keys })).toMatchObject({ code: "REVOKED" });
  const listed = await account.person.client.devices.list.query();
  expect(listed.find(({ id }) => id === device.id)).toMatchObject({ inRoster: true, revokedAt: expect.any(String) });
});

test("V8 a removal that an admin signed kills the tokens in the same moment", async () => {
  const device = await secondDevice();
  const rotation = {
    roster: account.roster,
    by: account.device.id,
    keys: account.device.keys,
    at: new Date().toISOString(),
    ops: [{ op: "remove", id: device.id, cut: null } as const],
  };
  const { statement, envelopes, roster, root } = await startEpoch(rotation);
  const append = { statements: [statement], envelopes };
  expect(await account.device.client.roster.append.mutate(append)).toMatchObject({ ok: true, seq: roster.seq });
  account.roster = roster;
  account.roots.push({ epoch: roster.epoch, root });
  await expect(device.client.roster.get.query({})).rejects.toMatchObject({ code: "unauthorized" });
  expect(await askToken(cloud.url, { ...me(), id: device.id, keys: device.keys })).toMatchObject({ code: "REVOKED" });
  const listed = await account.device.client.devices.list.query();
  expect(listed.find(({ id }) => id === device.id)).toMatchObject({ inRoster: false });
});

test("a device without the role admin cuts nobody off but itself", async () => {
  const device = await secondDevice();
  await cloud.sql`update devices set roles = '{command}' where id = ${device.id}`;
  const refused = await device.client.devices.revoke.mutate({ deviceId: account.device.id });
  expect(refused).toMatchObject({ ok: false, code: "NOT_ALLOWED" });
  const unknown = await account.device.client.devices.revoke.mutate({ deviceId: randomUUID() });
  expect(unknown).toMatchObject({ ok: false, code: "UNKNOWN_DEVICE" });
  expect(await device.client.devices.revoke.mutate({ deviceId: device.id })).toMatchObject({ ok: true });
});

test("a token that does not count is not made good by a login beside it", async () => {
  const client = clientOf(cloud.url, "A".repeat(43));
  await expect(client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
});
