import { toBase64url } from "@codehands/vault";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  clientOf,
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

const poll = ({ client, pollToken }: Started) => client.pairing.poll.query({ pollToken });
const rowsOf = ({ pairingId }: Started) => cloud.sql`select * from pairings where id = ${pairingId}`;

test("V29 V30 a new device is let in, gets its token, and the row goes", async () => {
  const { started, roster } = await letIn(cloud.url, account);
  account.roster = roster;
  expect(await rowsOf(started)).toHaveLength(0);
  const { id, keys } = started.newcomer;
  const device = await openDevice(cloud.url, { vault: roster.vault, id, keys });
  const page = await device.client.roster.get.query({});
  expect(page.seq).toBe(roster.seq);
  expect(page.envelopes).toHaveLength(1);
  expect((await device.client.devices.list.query()).map((each) => each.id)).toContain(id);
});

test("V32 of 20 parallel claims one wins, and C117 the token is good for nothing after", async () => {
  const started = await startPairing(cloud.url);
  const offer = await offerPairing(account, started);
  await revealPairing(started);
  const { statement, envelope, roster } = await confirmPairing(account, offer, started);
  const { pairingId, pollToken } = started;
  const approve = () => account.device.client.pairing.approve.mutate({ pairingId, statement, envelope });
  expect(await approve()).toEqual({ ok: true });
  account.roster = roster;
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => started.client.pairing.redeem.mutate({ pollToken })),
  );
  expect(claims.filter(({ ok }) => ok)).toHaveLength(1);
  expect(claims.filter((claim) => !claim.ok && claim.code === "PAIR_EXPIRED")).toHaveLength(19);
  expect(await poll(started)).toEqual({ state: "dead" });
  expect(await approve()).toMatchObject({ ok: false });
});

test("C125 C126 polls change nothing: approved between two of a hundred, it stays approved", async () => {
  const started = await startPairing(cloud.url);
  const offer = await offerPairing(account, started);
  await revealPairing(started);
  const { statement, envelope, roster } = await confirmPairing(account, offer, started);
  const { pairingId } = started;
  const polls = Promise.all(Array.from({ length: 50 }, () => poll(started)));
  const approved = account.device.client.pairing.approve.mutate({ pairingId, statement, envelope });
  const more = Promise.all(Array.from({ length: 50 }, () => poll(started)));
  expect(await approved).toEqual({ ok: true });
  account.roster = roster;
  const states = [...(await polls), ...(await more)].map(({ state }) => state);
  expect(new Set(states)).not.toContain("dead");
  expect(await poll(started)).toEqual({ state: "approved" });
  expect((await started.client.pairing.redeem.mutate({ pollToken: started.pollToken })).ok).toBe(true);
});

test("V32 one offer and one reveal: a second one of either is refused, the same again is not", async () => {
  const started = await startPairing(cloud.url);
  const offer = await offerPairing(account, started);
  const { pairingId } = started;
  const again = { pairingId, msgO: toBase64url(offer.message) };
  expect(await account.device.client.pairing.offer.mutate(again)).toEqual({ ok: true });
  const other = { pairingId, msgO: toBase64url(new TextEncoder().encode("{}")) };
  expect(await account.device.client.pairing.offer.mutate(other)).toMatchObject({ ok: false, code: "CONFLICT" });
  expect(await stranger.device.client.pairing.offer.mutate(other)).toMatchObject({ ok: false });
  const { reveal } = await revealPairing(started);
  const sent = { pollToken: started.pollToken, enc: toBase64url(reveal.enc), ct: toBase64url(reveal.ct) };
  expect(await started.client.pairing.reveal.mutate(sent)).toEqual({ ok: true });
  expect(await started.client.pairing.reveal.mutate({ ...sent, ct: "AAAA" })).toMatchObject({ code: "CONFLICT" });
});

test("another account sees and changes nothing of a pairing", async () => {
  const started = await startPairing(cloud.url);
  const offer = await offerPairing(account, started);
  await revealPairing(started);
  const { statement, envelope } = await confirmPairing(account, offer, started);
  const { pairingId } = started;
  const { client } = stranger.device;
  expect(await client.pairing.lookup.mutate({ userCode: started.userCode })).toMatchObject({ code: "PAIR_EXPIRED" });
  expect(await client.pairing.offered.query({ pairingId })).toEqual({ state: "dead" });
  expect(await client.pairing.approve.mutate({ pairingId, statement, envelope })).toMatchObject({
    code: "PAIR_EXPIRED",
  });
  expect(await client.pairing.end.mutate({ pairingId })).toMatchObject({ code: "PAIR_EXPIRED" });
  expect(await poll(started)).toEqual({ state: "revealed" });
  // Nobody but the device that made the offer ends it by its id.
  expect(await started.client.pairing.end.mutate({ pairingId })).toMatchObject({ ok: false });
  expect(await account.device.client.pairing.end.mutate({ pairingId })).toEqual({ ok: true });
  expect(await poll(started)).toEqual({ state: "dead" });
  expect(await account.device.client.pairing.approve.mutate({ pairingId, statement, envelope })).toMatchObject({
    code: "CONFLICT",
  });
});

test("V29 the fifth wrong code of an address is the last one, a right one does not count", async () => {
  const { device } = account;
  const started = await startPairing(cloud.url);
  const client = clientOf(cloud.url, device.token);
  const guess = (userCode: string) => client.pairing.lookup.mutate({ userCode });
  for (let n = 0; n < 3; n += 1) expect(await guess(started.userCode)).toMatchObject({ ok: true });
  for (let n = 0; n < 5; n += 1) expect(await guess(`0000-000${n}`)).toMatchObject({ code: "PAIR_EXPIRED" });
  await expect(guess(started.userCode)).rejects.toMatchObject({ code: "too_many", retryAfter: expect.any(Number) });
  // Another address is not held up by it.
  expect(await clientOf(cloud.url, device.token).pairing.lookup.mutate({ userCode: started.userCode })).toMatchObject({
    ok: true,
  });
});

test("a pairing that has expired is none, and the row holds neither name nor key", async () => {
  const address = freshAddress();
  const started = await startPairing(cloud.url, address);
  const [row] = await rowsOf(started);
  expect(row).toMatchObject({ platform: "linux", place: address, account_id: null, msg_o: null, enc: null, ct: null });
  const stored = JSON.stringify(row);
  for (const secret of [started.userCode, started.pollToken, "new laptop"]) expect(stored).not.toContain(secret);
  await cloud.sql`update pairings set expires_at = now() where id = ${started.pairingId}`;
  expect(await poll(started)).toEqual({ state: "dead" });
  expect(await account.device.client.pairing.lookup.mutate({ userCode: started.userCode })).toMatchObject({
    ok: false,
  });
});

test("an approval whose statement came too late leaves everything as it was", async () => {
  const started = await startPairing(cloud.url);
  const offer = await offerPairing(account, started);
  await revealPairing(started);
  const stale = await confirmPairing(account, offer, started);
  const { roster } = await letIn(cloud.url, account);
  const { pairingId } = started;
  const approve = (made: typeof stale) =>
    account.device.client.pairing.approve.mutate({ pairingId, statement: made.statement, envelope: made.envelope });
  expect(await approve(stale)).toMatchObject({ ok: false, code: "CONFLICT" });
  expect(await poll(started)).toEqual({ state: "revealed" });
  account.roster = roster;
  const fresh = await confirmPairing(account, offer, started);
  expect(await approve(fresh)).toEqual({ ok: true });
  account.roster = fresh.roster;
});
