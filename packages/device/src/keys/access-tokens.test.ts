import { expect, test } from "vitest";
import { openAccessTokens } from "./access-tokens.ts";

test("V28 callers at the same time share one request, and a token is kept until it is old or was refused", async () => {
  let asked = 0;
  let now = 0;
  const tokens = openAccessTokens(
    async () => `token ${++asked}`,
    () => now,
  );
  expect(await Promise.all([tokens.current(), tokens.current()])).toEqual(["token 1", "token 1"]);
  now = 49 * 60_000;
  expect(await tokens.current()).toBe("token 1");
  now = 51 * 60_000;
  expect(await tokens.current()).toBe("token 2");
  tokens.drop();
  expect(await tokens.current()).toBe("token 3");
});

test("a request that failed is made again by the next caller", async () => {
  let fails = true;
  const tokens = openAccessTokens(
    async () => {
      if (fails) throw new Error("away");
      return "token";
    },
    () => 0,
  );
  await expect(tokens.current()).rejects.toThrow("away");
  fails = false;
  expect(await tokens.current()).toBe("token");
});
