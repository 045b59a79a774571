import { createCloudClient, logIn, logOut } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "../../../../test/kit/raw-request.ts";
import {
  fetchFrom,
  foundAccount,
  freshAddress,
  makePerson,
  openTestCloud,
  PASSWORD,
  postAuth,
  type TestCloud,
} from "../open-cloud.test-kit.ts";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const post = (path: string, input: unknown, headers: Record<string, string> = {}) =>
  postAuth(cloud.url, { path, input, headers });

/** All that can be seen of an answer besides its time and its id. */
const shown = ({ status, body, headers }: Awaited<ReturnType<typeof post>>) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !["date", "x-request-id"].includes(name)),
});

describe("equal answers", () => {
  test("an address that has an account and one that has none cannot be told apart", async () => {
    const { email } = await makePerson(cloud.url);
    const wrong = await post("sign-in/email", { email, password: "not the password" });
    const unknown = await post("sign-in/email", { email: "nobody@example.org", password: "not the password" });
    expect(wrong.status).toBe(401);
    expect(shown(unknown)).toEqual(shown(wrong));
    const taken = await post("sign-up/email", { email, password: PASSWORD });
    const free = await post("sign-up/email", { email: `free-${email}`, password: PASSWORD });
    expect(taken.status).toBe(200);
    expect(shown(free)).toEqual(shown(taken));
    // The password of the account that was there is the one that counts.
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(200);
  });
});

describe("logins", () => {
  test("a cookie that no script reads, and that ends with the login", async () => {
    const { email, login } = await makePerson(cloud.url);
    const answer = await post("sign-in/email", { email, password: PASSWORD });
    expect(answer.body).toBe('{"ok":true}');
    const [cookie, ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^codehands\.login=/);
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/"]) expect(cookie).toContain(part);
    expect(cookie).not.toContain("Domain");
    const client = createCloudClient({ url: cloud.url, login });
    expect(await client.accounts.status.query()).toMatchObject({ vault: null });
    await logOut(cloud.url, { login });
    await expect(client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("with https only this host can set and read the cookie", async () => {
    const origins = ["https://cloud.example"];
    const secure = await openTestCloud({ config: { origins } });
    // `fetch` lets nobody choose a Host.
    const dial = (path: string, body: object) =>
      rawRequest({
        port: secure.cloud.port,
        path: `/auth/${path}`,
        method: "POST",
        headers: { host: "cloud.example", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await dial("sign-up/email", { email: "a@example.org", password: PASSWORD });
    const { headers } = await dial("sign-in/email", { email: "a@example.org", password: PASSWORD });
    expect(headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-codehands\.login=.*Secure/)]);
    expect(headers["strict-transport-security"]).toBeDefined();
    await secure.close();
  });

  test("a cookie from a page of another origin, or without one, decides nothing", async () => {
    const { login, email } = await makePerson(cloud.url);
    for (const origin of ["http://evil.example", "null"])
      expect((await post("sign-out", {}, { cookie: login, origin })).status).toBe(403);
    expect((await post("sign-out", {}, { cookie: login })).status).toBe(403);
    const still = createCloudClient({ url: cloud.url, login });
    expect(await still.accounts.status.query()).toMatchObject({ vault: null });
    const change = { currentPassword: PASSWORD, newPassword: "another long password" };
    expect((await post("change-password", change, { cookie: login, origin: "http://evil.example" })).status).toBe(403);
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(200);
  });

  test("a new password ends every other login, and only who knows the old one sets it", async () => {
    const { login, email } = await makePerson(cloud.url);
    const second = await logIn(cloud.url, { email, password: PASSWORD }, fetchFrom(freshAddress()));
    const by = { cookie: login, origin: cloud.url };
    const wrong = { currentPassword: "not the password", newPassword: "another long password" };
    expect((await post("change-password", wrong, by)).status).toBe(401);
    const right = { currentPassword: PASSWORD, newPassword: "another long password" };
    expect((await post("change-password", right, by)).status).toBe(200);
    const client = createCloudClient({ url: cloud.url, login: second.login ?? "" });
    await expect(client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(401);
    expect((await post("sign-in/email", { email, password: "another long password" })).status).toBe(200);
  });

  test("a login ends after 90 days, however often it was used", async () => {
    const { login, client } = await makePerson(cloud.url);
    expect(await client.accounts.status.query()).toMatchObject({ devices: 0 });
    const token = decodeURIComponent(login.split("=")[1] ?? "").split(".")[0] ?? "";
    await cloud.sql`update auth_logins set created_at = now() - interval '91 days' where token = ${token}`;
    await expect(client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("passwords are stored as salted hashes, and no log line tells an address or a password", async () => {
    const { email } = await makePerson(cloud.url);
    const rows = await cloud.sql<{ password: string }[]>`select password from auth_credentials`;
    expect(new Set(rows.map(({ password }) => password)).size).toBe(rows.length);
    for (const { password } of rows) expect(password).toMatch(/^scrypt\$65536\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    const log = cloud.log.join("");
    for (const secret of [email, PASSWORD, "example.org"]) expect(log).not.toContain(secret);
  });

  test("V34 a person deletes the account with the password: nothing of it is left, and nothing of another one is gone", async () => {
    const [mine, other] = await Promise.all([foundAccount(cloud.url), foundAccount(cloud.url)]);
    const by = { cookie: mine.person.login, origin: cloud.url };
    expect((await post("delete-account", { password: "not the password" }, by)).status).toBe(401);
    expect(await mine.device.client.roster.get.query({})).toMatchObject({ seq: 0 });
    expect((await post("delete-account", { password: PASSWORD }, by)).status).toBe(200);
    await expect(mine.device.client.roster.get.query({})).rejects.toMatchObject({ code: "unauthorized" });
    await expect(mine.person.client.accounts.status.query()).rejects.toMatchObject({ code: "unauthorized" });
    const left = await cloud.sql<{ table_name: string; column_name: string }[]>`
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id' and data_type = 'uuid'`;
    expect(left.length).toBeGreaterThan(8);
    const [device] = await cloud.sql<{ account_id: string }[]>`
      select account_id from devices where id = ${other.device.id}`;
    const accounts = await cloud.sql<{ id: string }[]>`select id from accounts`;
    expect(accounts.map(({ id }) => id)).toContain(device?.account_id);
    for (const { table_name: table } of left) {
      const orphans = await cloud.sql`
        select 1 from ${cloud.sql(table)} where account_id is not null and account_id not in (select id from accounts)`;
      expect(orphans, table).toHaveLength(0);
    }
    expect((await post("sign-in/email", { email: mine.person.email, password: PASSWORD })).status).toBe(401);
    expect(await other.device.client.roster.get.query({})).toMatchObject({ seq: 0 });
  });

  test("a closed cloud takes no new accounts, and nothing else of better-auth is reachable", async () => {
    const closed = await openTestCloud({ config: { signUp: "closed" } });
    const ask = (path: string) =>
      fetch(`${closed.url}/auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "a@example.org", password: PASSWORD }),
      });
    expect((await ask("sign-up/email")).status).toBe(403);
    expect(await closed.sql`select 1 from auth_users`).toHaveLength(0);
    const others = [
      "request-password-reset",
      "update-user",
      "delete-user",
      "sign-in/social",
      "list-sessions",
      "get-session",
    ];
    for (const path of [...others, "sign-up/email/", "../auth/sign-up/email"])
      expect((await ask(path)).status, path).toSatisfy((status) => status === 404 || status === 403);
    await closed.close();
  });
});
