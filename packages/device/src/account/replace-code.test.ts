import { afterEach, expect, test } from "vitest";
import { DeviceHome } from "../home.ts";
import { foundMember } from "../roster/found-member.test-kit.ts";
import { createAccountPort } from "./account-port.ts";

const opened: DeviceHome[] = [];
afterEach(() => Promise.all(opened.splice(0).map((home) => home.close())));

/** A device whose cloud nobody can reach. */
async function open() {
  const { options, keys, account } = await foundMember();
  const home = new DeviceHome({ ...options, fetch: () => Promise.reject(new TypeError("fetch failed")) });
  opened.push(home);
  return { home, keys, account, port: createAccountPort(home) };
}

test("V34 without an account, or keys, there is no code to replace", async () => {
  const { home, keys, port } = await open();
  expect(await port.renewCode()).toMatchObject({ ok: false, code: "not_signed_in" });
  home.locked = { cloudUrl: "https://hands.example", email: "a@b", devices: 1, sessions: 0 };
  expect(await port.renewCode()).toMatchObject({
    ok: false,
    code: "locked",
    reason: expect.stringContaining("Pair it"),
  });
  home.locked = null;
  await keys.clear();
  await home.load();
  expect(await port.renewCode()).toMatchObject({ ok: false, code: "refused", reason: home.broken?.reason });
});

test("V34 a cloud that does not answer may have taken the new code all the same: that is told", async () => {
  const { home, account, port } = await open();
  await home.load();
  const before = await account.load();
  expect(await port.renewCode()).toMatchObject({
    ok: false,
    code: "unreachable",
    reason: expect.stringContaining("The last code that is shown is the one that counts."),
  });
  expect((await account.load())?.statements).toEqual(before?.statements);
});
