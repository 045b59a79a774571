import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { DeviceHome } from "./home.ts";
import { foundMember } from "./roster/found-member.test-kit.ts";

test("V36 whoever signs out has no keys here any more, also when the database fails at that moment", async () => {
  const { options, store, keys } = await foundMember();
  vi.spyOn(store, "apply").mockRejectedValueOnce(new Error("the disk is away"));
  const home = new DeviceHome(options);
  await expect(home.leave(randomUUID())).rejects.toThrow("the disk is away");
  expect(await keys.load()).toBeNull();
  // The next try carries it through.
  await home.leave(randomUUID());
  expect(await options.account.load()).toBeNull();
});
