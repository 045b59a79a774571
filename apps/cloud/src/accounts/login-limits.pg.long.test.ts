import { logIn } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshAddress, makePerson, openTestCloud, PASSWORD, postAuth, type TestCloud } from "../open-cloud.test-kit.ts";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const post = (path: string, input: unknown, headers: Record<string, string> = {}) =>
  postAuth(cloud.url, { path, input, headers });

describe("limits", () => {
  test("five tries a minute at one account, from wherever they come, and the right password is locked out as well", async () => {
    const { email } = await makePerson(cloud.url);
    const wrong = { email, password: "not the password" };
    const tries = await Promise.all(Array.from({ length: 9 }, () => post("sign-in/email", wrong)));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(4);
    const right = await post("sign-in/email", { email, password: PASSWORD });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(60);
    await expect(logIn(cloud.url, { email, password: PASSWORD })).rejects.toMatchObject({ code: "too_many" });
    const other = await makePerson(cloud.url);
    expect(other.login).not.toBe("");
  });

  test("a login that works forgets the tries before it", async () => {
    const { email } = await makePerson(cloud.url);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1)
        expect((await post("sign-in/email", { email, password: "not the password" })).status).toBe(401);
      expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    }
  });

  test("twenty tries a minute and five new accounts an hour from one address", async () => {
    const from = { "x-forwarded-for": freshAddress() };
    const guesses = Array.from({ length: 24 }, (_, n) => ({ email: `n${n}@example.org`, password: "x" }));
    const tries = await Promise.all(guesses.map((guess) => post("sign-in/email", guess, from)));
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(4);
    const news = guesses.slice(0, 7).map(({ email }) => ({ email, password: PASSWORD }));
    const made = await Promise.all(news.map((each) => post("sign-up/email", each, from)));
    expect(made.filter(({ status }) => status === 429)).toHaveLength(2);
  }, 60_000);

  test("nobody gets another address by saying so", async () => {
    const strict = await openTestCloud({ config: { trustedProxies: [] } });
    const guess = (n: number) =>
      fetch(`${strict.url}/auth/sign-in/email`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-forwarded-for": freshAddress(),
          "x-codehands-address": "::1",
        },
        body: JSON.stringify({ email: `n${n}@example.org`, password: "x" }),
      });
    const tries = await Promise.all(Array.from({ length: 22 }, (_, n) => guess(n)));
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
    await strict.close();
  }, 60_000);

  test("what is counted is stored without e-mail or network address", async () => {
    const rows = await cloud.sql`select key from rate_limits`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/@|198\.18/);
  });
});
