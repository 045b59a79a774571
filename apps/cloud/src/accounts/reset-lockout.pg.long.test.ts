import { logIn } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  fetchFrom,
  freshAddress,
  makePerson,
  openTestCloud,
  PASSWORD,
  signInStatus,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { resetPassword } from "./reset-password.ts";

const NEW_PASSWORD = "another long password";
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const signIn = (email: string, password: string, from?: string) =>
  signInStatus(cloud.url, { email, password, ...(from !== undefined && { from }) });

test.each([
  ["IPv4", "198.51.100.7", "198.51.100.7"],
  ["IPv6", "2001:db8:7::1", "2001:db8:7:0:ffff::2"],
])(
  "a reset lets a person in who is locked out by tries, from where they were logged in (%s)",
  async (_kind, home, late) => {
    const { email } = await makePerson(cloud.url);
    await logIn(cloud.url, { email, password: PASSWORD }, fetchFrom(home));
    const tries = await Promise.all(Array.from({ length: 22 }, () => signIn(email, "not the password", home)));
    expect(tries.filter((status) => status === 401)).toHaveLength(5);
    const stranger = freshAddress();
    await Promise.all(Array.from({ length: 22 }, (_, n) => signIn(`n${n}@example.org`, "x", stranger)));
    expect(await signIn(email, PASSWORD, late)).toBe(429);
    expect(await signIn(email, PASSWORD)).toBe(429);

    expect(await resetPassword(cloud.sql, { email, password: NEW_PASSWORD })).toMatchObject({
      ok: true,
      endedLogins: 2,
    });
    expect(await signIn(email, NEW_PASSWORD, late)).toBe(200);
    expect(await signIn(email, NEW_PASSWORD)).toBe(200);
    // Nobody else is let loose by it.
    expect(await signIn(email, NEW_PASSWORD, stranger)).toBe(429);
  },
);
