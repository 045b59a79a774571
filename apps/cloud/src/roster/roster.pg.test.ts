import { randomUUID } from "node:crypto";
import {
  foldRoster,
  foundVault,
  joinByRecovery,
  makeDeviceKeys,
  makeStatement,
  openEnvelope,
  sealEnvelope,
  startEpoch,
} from "@codehands/vault";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askToken,
  foundAccount,
  makePerson,
  openDevice,
  openTestCloud,
  type TestAccount,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { letIn, valueOf } from "../pairing/let-in.test-kit.ts";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const at = "2026-01-01T00:00:00.000Z";
const rotate = ({ roster, device }: TestAccount) =>
  startEpoch({ roster, by: device.id, keys: device.keys, at, ops: [] });

test("V8 two statements for one place: the second gets CONFLICT with what came first, and folds it", async () => {
  const account = await foundAccount(cloud.url);
  const both = [await rotate(account), await rotate(account)];
  const answers = await Promise.all(
    both.map(({ statement, envelopes }) =>
      account.device.client.roster.append.mutate({ statements: [statement], envelopes }),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  const refused = answers.find((answer) => !answer.ok);
  if (refused === undefined || refused.ok) throw new Error("none was refused");
  expect(refused.code).toBe("CONFLICT");
  expect(valueOf(await foldRoster(refused.newer, account.roster)).seq).toBe(1);
});

test("V7 V8 forged, unsigned and incomplete statements change nothing", async () => {
  const account = await foundAccount(cloud.url);
  const { client, id } = account.device;
  const { statement, envelopes } = await rotate(account);
  const stranger = await makeDeviceKeys({ extractable: true });
  const forged = await makeStatement(
    { roster: account.roster, at, ops: [{ op: "roles", id, roles: ["admin", "run"] }] },
    { by: id, privateKey: stranger.sign.privateKey },
  );
  const refusals = [
    await client.roster.append.mutate({ statements: [forged], envelopes: [] }),
    await client.roster.append.mutate({ statements: [statement], envelopes: [] }),
    await client.roster.append.mutate({ statements: [statement], envelopes: envelopes.slice(1) }),
    await client.roster.append
      .mutate({ statements: [{ ...statement, sigs: [] as never }], envelopes })
      .catch((error: unknown) => error),
    await client.roster.append.mutate({ statements: [statement, statement], envelopes }),
  ];
  expect(refusals.map((answer) => (answer as { code: string }).code)).toEqual([
    "BAD_SIGNATURE",
    "BAD_ROSTER",
    "BAD_ROSTER",
    "bad_request",
    "CONFLICT",
  ]);
  const page = await client.roster.get.query({});
  expect([page.seq, page.statements.length, page.envelopes.length]).toEqual([0, 1, 1]);
  expect(await client.roster.append.mutate({ statements: [statement], envelopes })).toMatchObject({ ok: true, seq: 1 });
});

test("V28 a login founds a vault and uses a recovery code, and does nothing else", async () => {
  const account = await foundAccount(cloud.url);
  const { client } = account.person;
  const rotation = await rotate(account);
  const byDevice = { statements: [rotation.statement], envelopes: rotation.envelopes };
  expect(await client.roster.append.mutate(byDevice)).toMatchObject({ ok: false, code: "NOT_ALLOWED" });
  const late = { statements: [], envelopes: rotation.envelopes };
  expect(await client.roster.append.mutate(late)).toMatchObject({ ok: false, code: "NOT_ALLOWED" });

  const keys = await makeDeviceKeys({ extractable: true });
  const id = randomUUID();
  const joining = { id, keys, platform: "linux", recovery: account.recovery, at };
  const page = await client.roster.get.query({});
  const roster = valueOf(await foldRoster(page.statements));
  // With the recovery code alone: the envelope for it opens, and the statement it signs is taken.
  const [sealed] = page.envelopes;
  const opened = await openEnvelope(sealed, { roster, to: "recovery", agree: account.recovery.agree });
  expect(valueOf(opened).keys).toHaveLength(1);
  const joined = await joinByRecovery(roster, joining);
  const appended = await client.roster.append.mutate({ statements: [joined.statement], envelopes: [] });
  expect(appended).toMatchObject({ ok: true, seq: 1 });
  await openDevice(cloud.url, { vault: roster.vault, id, keys });
});

test("a vault belongs to the account that founded it", async () => {
  const owner = await foundAccount(cloud.url);
  const { statements, envelopes } = await owner.person.client.roster.get.query({});
  const thief = await makePerson(cloud.url);
  const device = (await owner.device.client.roster.get.query({})).envelopes;
  const stolen = { statements, envelopes: [...device, ...envelopes] };
  expect(await thief.client.roster.append.mutate(stolen)).toMatchObject({ ok: false, code: "BAD_ROSTER" });
  expect(await thief.client.accounts.status.query()).toMatchObject({ vault: null, devices: 0 });
});

test("a vault that is there is not founded again", async () => {
  const account = await foundAccount(cloud.url);
  const keys = await makeDeviceKeys({ extractable: true });
  const second = await foundVault({ id: randomUUID(), keys, platform: "linux", recovery: account.recovery, at });
  const append = { statements: [second.statement], envelopes: second.envelopes };
  const answer = await account.person.client.roster.append.mutate(append);
  // With what is there, so that a device sees that the vault is another one and keeps what it holds (V9).
  expect(answer).toMatchObject({ ok: false, code: "CONFLICT", newer: [expect.anything()] });
});

test("a restored cloud takes back the statements it lost, from a device it does not know any more", async () => {
  const account = await foundAccount(cloud.url);
  const { started, roster } = await letIn(cloud.url, account);
  const all = (await account.device.client.roster.get.query({})).statements;
  const [row] = await cloud.sql<{ id: string }[]>`
    select id from accounts where vault_id = ${Buffer.from(roster.vault)}`;
  const accountId = row?.id ?? "";
  await cloud.sql`delete from roster where account_id = ${accountId} and seq = 1`;
  await cloud.sql`delete from devices where account_id = ${accountId} and id = ${started.newcomer.id}`;
  await cloud.sql`delete from access_tokens where account_id = ${accountId}`;
  await cloud.sql`update accounts set roster_seq = 0 where id = ${accountId}`;
  const { id, keys } = started.newcomer;
  const unknown = await askToken(cloud.url, { vault: roster.vault, id, keys });
  expect(unknown).toMatchObject({ ok: false, code: "UNKNOWN" });
  const back = await askToken(cloud.url, { vault: roster.vault, id, keys, statements: all.slice(1) });
  expect(back).toMatchObject({ ok: true });
  const admin = await openDevice(cloud.url, { vault: roster.vault, id: account.device.id, keys: account.device.keys });
  expect(await admin.client.roster.get.query({})).toMatchObject({ seq: 1 });
  // An admin makes the envelope anew.
  const signer = { by: account.device.id, privateKey: account.device.keys.sign.privateKey };
  const envelope = await sealEnvelope({ roster, to: id, payload: { keys: account.roots } }, signer);
  expect(await admin.client.roster.append.mutate({ statements: [], envelopes: [envelope] })).toMatchObject({
    ok: true,
  });
});

test("what a device signs that was cut off is not taken, whoever brings it", async () => {
  const account = await foundAccount(cloud.url);
  const { started, roster } = await letIn(cloud.url, account);
  const { id, keys } = started.newcomer;
  const cut = await openDevice(cloud.url, { vault: roster.vault, id, keys });
  await account.person.client.devices.revoke.mutate({ deviceId: id });
  const rotation = await startEpoch({ roster, by: id, keys, at, ops: [] });
  await expect(cut.client.roster.get.query({})).rejects.toMatchObject({ code: "unauthorized" });
  const handed = { vault: roster.vault, id, keys, statements: [rotation.statement] };
  expect(await askToken(cloud.url, handed)).toMatchObject({ ok: false, code: "REVOKED" });
  const append = { statements: [rotation.statement], envelopes: rotation.envelopes };
  expect(await account.device.client.roster.append.mutate(append)).toMatchObject({ code: "NOT_ALLOWED" });
  expect(await account.device.client.roster.get.query({})).toMatchObject({ seq: 1 });
});
