import { randomBytes } from "node:crypto";
import type { CloudClient } from "@codehands/api/cloud-client";
import { makeDeviceKeys, openNewcomer, toBase64url } from "@codehands/vault";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMIT_RULES } from "../limits/limit-rules.ts";
import {
  foundAccount,
  freshAddress,
  openDevice,
  openTestCloud,
  type TestAccount,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { confirmPairing, letIn, offerPairing, revealPairing, type Started, startPairing } from "./let-in.test-kit.ts";

let cloud: TestCloud;
let account: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  cloud = await openTestCloud();
  [account, stranger] = await Promise.all([foundAccount(cloud.url), foundAccount(cloud.url)]);
});
afterAll(() => cloud.close());

async function invite(client: CloudClient = account.device.client): Promise<string> {
  const made = await client.pairing.invite.mutate();
  if (!made.ok) throw new Error(made.code);
  return made.invitation;
}
const seenBy = (client: CloudClient, invitation: string) => client.pairing.invited.query({ invitation });
const seen = (invitation: string) => seenBy(account.device.client, invitation);
const come = (invitation: string): Promise<Started> => startPairing(cloud.url, freshAddress(), { invitation });

/** A second device of the account with these roles, as the cloud knows them. */
async function secondDevice(roles: string[]) {
  const { started, roster } = await letIn(cloud.url, account);
  account.roster = roster;
  const { id, keys } = started.newcomer;
  const device = await openDevice(cloud.url, { vault: roster.vault, id, keys });
  await cloud.sql`update devices set roles = ${roles} where id = ${id}`;
  return device;
}

test("V29 an invitation tells its maker what a code would tell it, and the digits still decide", async () => {
  const invitation = await invite();
  expect(await seen(invitation)).toEqual({ waiting: true });
  const started = await come(invitation);
  const found = await seen(invitation);
  const looked = await account.device.client.pairing.lookup.mutate({ userCode: started.userCode });
  expect(found).toEqual({ ...looked, age: expect.any(Number) });
  expect(found).toMatchObject({ ok: true, pairingId: started.pairingId, platform: "linux" });
  const offer = await offerPairing(account, started);
  await revealPairing(started);
  // It is at its offer: there is nothing to look up any more.
  expect(await seen(invitation)).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
  const { statement, envelope, roster } = await confirmPairing(account, offer, started);
  const { pairingId } = started;
  expect(await account.device.client.pairing.approve.mutate({ pairingId, statement, envelope })).toEqual({ ok: true });
  account.roster = roster;
});

test("V32 of 20 parallel starts with one invitation one wins, and the others leave no pairing", async () => {
  const invitation = await invite();
  const [{ before } = { before: -1 }] = await cloud.sql<{ before: number }[]>`
    select count(*)::int as before from pairings`;
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => come(invitation)));
  const won = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const lost = tries.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
  expect(won).toHaveLength(1);
  expect(lost).toEqual(Array.from({ length: 19 }, () => "Error: INVITATION_GONE"));
  expect(await seen(invitation)).toMatchObject({ ok: true, pairingId: won[0]?.pairingId });
  expect(await cloud.sql`select count(*)::int as before from pairings`).toEqual([{ before: before + 1 }]);
});

test("what was used, has expired, was taken back, never was or is of a removed device is refused in the same words", async () => {
  const [used, late, ended] = [await invite(), await invite(), await invite()];
  await come(used);
  const hashed = await cloud.sql<{ hash: Buffer }[]>`
    select hash from invitations where account_id = (select account_id from devices where id = ${account.device.id})`;
  expect(JSON.stringify(hashed)).not.toContain(late);
  expect(await account.device.client.pairing.end.mutate({ invitation: ended })).toEqual({ ok: true });
  const gone = await secondDevice(["admin", "command", "run"]);
  const ofGone = await invite(gone.client);
  await account.person.client.devices.revoke.mutate({ deviceId: gone.id });
  const lower = await secondDevice(["admin"]);
  const ofLower = await invite(lower.client);
  await cloud.sql`update devices set roles = '{command}' where id = ${lower.id}`;
  await cloud.sql`update invitations set expires_at = now() where pairing_id is null and device_id = ${account.device.id}`;
  const never = toBase64url(randomBytes(16));
  const refusals = [];
  for (const invitation of [used, late, ended, ofGone, ofLower, never]) {
    const newcomer = await openNewcomer({
      id: crypto.randomUUID(),
      keys: await makeDeviceKeys({ extractable: true }),
      name: "new",
      platform: "linux",
      roles: ["command"],
    });
    const commit = toBase64url(newcomer.commit);
    refusals.push(await stranger.device.client.pairing.start.mutate({ commit, platform: "linux", invitation }));
  }
  expect(refusals[0]).toMatchObject({ ok: false, code: "INVITATION_GONE" });
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  for (const invitation of [late, ended, never])
    expect(await seen(invitation)).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
});

test("only an admin device invites, and only the device that invited sees who came, or takes it back", async () => {
  const invitation = await invite();
  const other = await secondDevice(["admin", "command", "run"]);
  const phone = await secondDevice(["command"]);
  expect(await phone.client.pairing.invite.mutate()).toMatchObject({ ok: false, code: "NOT_ALLOWED" });
  expect(await seenBy(phone.client, invitation)).toMatchObject({ ok: false, code: "NOT_ALLOWED" });
  const started = await come(invitation);
  for (const { client } of [other, stranger.device]) {
    expect(await seenBy(client, invitation)).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
    expect(await client.pairing.end.mutate({ invitation })).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
  }
  expect(await started.client.pairing.end.mutate({ invitation })).toMatchObject({ ok: false, code: "PAIR_EXPIRED" });
  expect(await seen(invitation)).toMatchObject({ ok: true, pairingId: started.pairingId });
});

test("an invitation that was used late lives as long as its pairing", async () => {
  const invitation = await invite();
  await cloud.sql`update invitations set expires_at = now() + interval '20 seconds' where pairing_id is null`;
  const { pairingId } = await come(invitation);
  const rows = await cloud.sql`
    select 1 from invitations i join pairings p on p.id = i.pairing_id
    where p.id = ${pairingId} and i.expires_at >= p.expires_at`;
  expect(rows).toHaveLength(1);
});

test("an account has so many invitations and no more", async () => {
  const maker = await foundAccount(cloud.url);
  const { tries } = LIMIT_RULES["pair-invite"];
  await Promise.all(Array.from({ length: tries }, () => invite(maker.device.client)));
  await expect(invite(maker.device.client)).rejects.toMatchObject({ code: "too_many", retryAfter: expect.any(Number) });
  // Another account is not held up by it.
  await invite(stranger.device.client);
});
