import { createHash } from "node:crypto";
import { createCloudClient, logIn } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pushNote } from "../http/push-note.test-kit.ts";
import {
  fetchFrom,
  foundAccount,
  freshAddress,
  makePerson,
  openTestCloud,
  PASSWORD,
  signInStatus,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { hashPassword } from "./hash-password.ts";
import { replaceHash, resetPassword } from "./reset-password.ts";

const NEW_PASSWORD = "another long password";
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const signIn = (email: string, password: string) => signInStatus(cloud.url, { email, password });

/** A sum over every row of every table, for those tables that `tables` names, or all others. */
async function sumsOf(keep: (table: string) => boolean): Promise<Record<string, string>> {
  const tables = await cloud.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    if (!keep(name)) continue;
    const rows = await cloud.sql<{ row: string }[]>`select t::text as row from ${cloud.sql(name)} t order by 1`;
    sums[name] = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  }
  return sums;
}

const LOGIN_TABLES = ["auth_credentials", "auth_logins", "rate_limits"];
const notOfLogins = (table: string): boolean => !LOGIN_TABLES.includes(table);

test("a reset changes logins only: the old password and every login are out, devices and all that is sealed stay", async () => {
  const account = await foundAccount(cloud.url);
  const push = await pushNote(account);
  const head = await push();
  const { email } = account.person;
  const before = await sumsOf(notOfLogins);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["access_tokens", "devices", "envelopes", "records"]));

  const reset = await resetPassword(cloud.sql, { email, password: NEW_PASSWORD });
  expect(reset).toEqual({ ok: true, accountId: expect.any(String), endedLogins: 1, devices: 1 });
  expect(await sumsOf(notOfLogins)).toEqual(before);

  await expect(account.person.client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
  expect(await signIn(email, PASSWORD)).toBe(401);
  const ask = fetchFrom(freshAddress());
  const { login } = await logIn(cloud.url, { email, password: NEW_PASSWORD }, ask);
  const again = createCloudClient({ url: cloud.url, login: login ?? "", fetch: ask });
  expect(await again.accounts.status.query()).toMatchObject({ devices: 1, rosterSeq: 0 });
  // The token that the device had before.
  expect(await account.device.client.roster.get.query({})).toMatchObject({ seq: 0 });
  expect(await push()).toBe(head + 1);
});

test("an address without a login is refused after the same work, and nothing changes", async () => {
  const { email, client } = await makePerson(cloud.url);
  await client.accounts.status.query();
  const work: string[] = [];
  const hash = async (password: string): Promise<string> => {
    const hashed = await hashPassword(password);
    work.push(hashed.slice(0, 17));
    return hashed;
  };
  const before = await sumsOf(() => true);
  const wish = { password: NEW_PASSWORD, hash };
  expect(await resetPassword(cloud.sql, { email: `no-${email}`, ...wish })).toEqual({ ok: false, code: "no_account" });
  expect(await sumsOf(() => true)).toEqual(before);
  expect(await resetPassword(cloud.sql, { email, ...wish })).toMatchObject({ ok: true });
  expect(work).toEqual(["scrypt$65536$8$1$", "scrypt$65536$8$1$"]);
});

test("who was just signing in with the old password while it was set anew is not signed in", async () => {
  const { email } = await makePerson(cloud.url);
  const hashed = await hashPassword(NEW_PASSWORD);
  let signing: Promise<number> = Promise.resolve(0);
  await cloud.sql.begin(async (tx) => {
    await tx`select id from auth_users where email = ${email} for update`;
    signing = signIn(email, PASSWORD);
    // The password was found right: the row of the new login waits for this transaction.
    const waiting = (): Promise<unknown> =>
      cloud.sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into%auth_logins%'`;
    await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
    expect(await replaceHash(tx, { email, hashed })).toMatchObject({ ok: true, endedLogins: 1 });
  });
  expect(await signing).toBe(401);
  const left = await cloud.sql`select 1 from auth_logins join auth_users u on u.id = user_id where email = ${email}`;
  expect(left).toHaveLength(0);
  expect(await signIn(email, NEW_PASSWORD)).toBe(200);
});
