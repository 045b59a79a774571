import { Keyring, newRoot } from "@codehands/vault";
import { expect, test } from "vitest";
import { foundMember } from "../roster/found-member.test-kit.ts";
import { keepRoots, restoreKeyring, rootBytes } from "./kept-roots.ts";

test("V11 V33 a place that may keep no bytes keeps keys that cannot be read, and can hand none on", async () => {
  const { member } = await foundMember();
  const [first] = member.roots ?? [];
  if (!first) throw new Error("a founder has its root");
  const ring = new Keyring(member.roster.vault);
  const kept = await keepRoots({ roster: member.roster, ring, asBytes: false }, [], [first]);
  expect(kept.map(({ epoch }) => epoch)).toEqual([1]);
  expect(kept.some((root) => "root" in root)).toBe(false);
  expect(rootBytes(kept, 1)).toBeNull();
  expect((await restoreKeyring(member.roster, kept)).has(1)).toBe(true);
});

test("V10 a root that the roster does not commit to is neither kept nor restored", async () => {
  const { member } = await foundMember();
  const other = { epoch: 1, root: newRoot() };
  await expect(member.takeOn({ roster: member.roster, added: [], roots: [other] })).rejects.toMatchObject({
    code: "BAD_ROOT",
  });
  await expect(restoreKeyring(member.roster, [other])).rejects.toMatchObject({ code: "BAD_ROOT" });
});

test("V18 roots are handed on only when those of every epoch are here", async () => {
  const found = await foundMember();
  await found.nextEpoch();
  expect(found.member.roots?.map(({ epoch }) => epoch)).toEqual([1, 2]);
  const [, second] = found.member.roots ?? [];
  expect(rootBytes(second ? [second] : [], 2)).toBeNull();
  expect((await found.keys.load())?.roots).toHaveLength(2);
});
