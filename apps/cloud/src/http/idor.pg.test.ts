import { randomUUID } from "node:crypto";
import { createCloudRouter } from "@codehands/api/cloud";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  foundAccount,
  openDevice,
  openTestCloud,
  postCall,
  type TestAccount,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { letIn, startPairing } from "../pairing/let-in.test-kit.ts";

let cloud: TestCloud;
let victim: TestAccount;
let thief: TestAccount;
/** A device of the victim that was cut off. */
let revoked: string;
let names: Record<string, unknown>;
const B16 = "A".repeat(22);
const B32 = "A".repeat(43);
const B64 = "A".repeat(86);

beforeAll(async () => {
  cloud = await openTestCloud();
  [victim, thief] = await Promise.all([foundAccount(cloud.url), foundAccount(cloud.url)]);
  const { started, roster } = await letIn(cloud.url, victim);
  victim.roster = roster;
  const { id, keys } = started.newcomer;
  const device = await openDevice(cloud.url, { vault: roster.vault, id, keys });
  revoked = device.token;
  await victim.person.client.devices.revoke.mutate({ deviceId: id });
  // An offer of the victim, whose id the thief knows.
  const pairing = await startPairing(cloud.url);
  await victim.device.client.pairing.offer.mutate({ pairingId: pairing.pairingId, msgO: "e30" });
  const [account] = await cloud.sql<{ epoch: string }[]>`
    select epoch from accounts where vault_id = ${Buffer.from(roster.vault)}`;
  const invited = await victim.device.client.pairing.invite.mutate();
  const invitation = invited.ok ? invited.invitation : null;
  names = { device: victim.device.id, epoch: account?.epoch, pairing: pairing.pairingId, invitation };
});
afterAll(() => cloud.close());

/** What somebody sends who knows every id of the victim. */
function inputs(): Readonly<Record<string, unknown>> {
  const { device, epoch, pairing, invitation } = names as Record<string, string>;
  const boot = randomUUID();
  const statement = { body: "e30", sigs: [{ by: device, sig: B64 }] };
  const envelope = { v: 1, to: B16, seq: 0, by: device, enc: B32, ct: "AA", sig: B64 };
  return {
    "accounts.status": {},
    "devices.list": {},
    "devices.revoke": { deviceId: device },
    "roster.get": {},
    "roster.append": { statements: [statement], envelopes: [envelope] },
    "pairing.lookup": { userCode: "0000-0000" },
    "pairing.invite": {},
    "pairing.invited": { invitation },
    "pairing.offer": { pairingId: pairing, msgO: "e30" },
    "pairing.offered": { pairingId: pairing },
    "pairing.approve": { pairingId: pairing, statement, envelope },
    "pairing.end": { pairingId: pairing },
    "sync.hello": { boot, boots: [boot], mode: "register" },
    "sync.pull": { epoch, cursor: 0, since: null, top: 0, limit: 100 },
    "sync.push": { epoch, boot, cursor: 0, since: null, logs: [], records: [] },
    "sync.segments": { streamId: device, after: 0, limit: 10 },
    "sync.compact": { boot, streamId: device, writerEpoch: 1, from: 1, to: 2, prevMac: B16, mac: B16, body: "AA" },
  };
}

/** Those that need neither token nor login: what they reach is behind a secret of 256 bits, or nothing. */
const OPEN = [
  "devices.challenge",
  "devices.token",
  "pairing.start",
  "pairing.poll",
  "pairing.reveal",
  "pairing.redeem",
];

/** Everything of the victim that the database holds. */
const snapshot = async (): Promise<string> => {
  const { device, pairing } = names as Record<string, string>;
  const [account] = await cloud.sql<
    { account_id: string }[]
  >`select account_id from devices where id = ${device ?? ""}`;
  const id = account?.account_id ?? "";
  return JSON.stringify([
    await cloud.sql`select * from accounts where id = ${id}`,
    await cloud.sql`select id, boot_id, sign, roles, revoked_at from devices where account_id = ${id} order by id`,
    await cloud.sql`select * from roster where account_id = ${id} order by seq`,
    await cloud.sql`select * from envelopes where account_id = ${id} order by recipient, seq`,
    await cloud.sql`select * from invitations where account_id = ${id}`,
    await cloud.sql`select * from pairings where id = ${pairing ?? ""}`,
  ]);
};

test("G16 every call is in the matrix", () => {
  const all = Object.keys(createCloudRouter()._def.procedures).sort();
  expect([...Object.keys(inputs()), ...OPEN, "live.watch"].sort()).toEqual(all);
});

test("G16 nobody reaches another account: each call with another device's token, another login, a revoked token, none", async () => {
  const before = await snapshot();
  const secrets = [
    Buffer.from(victim.roster.vault).toString("base64url"),
    Buffer.from(victim.device.keys.sign.publicKey).toString("base64url"),
    String(names.device),
  ];
  // What the owner gets holds these: the search below can find them.
  const owner = { authorization: `Bearer ${victim.device.token}` };
  const own = await Promise.all(
    ["roster.get", "devices.list"].map((path) => postCall(cloud.url, { path, input: {}, headers: owner })),
  );
  for (const secret of secrets) expect(JSON.stringify(own)).toContain(secret);
  const callers: Record<string, Record<string, string>> = {
    "another device": { authorization: `Bearer ${thief.device.token}` },
    "another login": { cookie: thief.person.login, origin: cloud.url },
    "a revoked device": { authorization: `Bearer ${revoked}` },
    nobody: {},
  };
  for (const [who, headers] of Object.entries(callers)) {
    for (const [path, input] of Object.entries(inputs())) {
      const { status, body } = await postCall(cloud.url, { path, input, headers });
      const where = `${path} by ${who}`;
      const said = JSON.stringify(body);
      if (who === "a revoked device" || who === "nobody") {
        // `end` is open, for new devices with a poll token; with an id alone it does nothing.
        if (path !== "pairing.end") expect(status, where).toBe(401);
      } else expect([200, 403, 429], where).toContain(status);
      for (const secret of secrets) expect(said, where).not.toContain(secret);
    }
  }
  expect(await snapshot()).toBe(before);
});

test("G16 nobody listens to another account, or after being cut off", async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${cloud.url}/trpc/live.watch?input=${encodeURIComponent("{}")}`, { headers });
  for (const headers of [{}, { authorization: `Bearer ${revoked}` }] as Record<string, string>[]) {
    const answer = await ask(headers);
    // A stream says its refusal as its first and last message.
    expect(`${answer.status} ${await answer.text()}`).toMatch(/^401|UNAUTHORIZED/);
  }
});
