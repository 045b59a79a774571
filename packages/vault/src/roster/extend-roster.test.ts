import { beforeAll, describe, expect, test } from "vitest";
import { recoveryKeys } from "../recovery/recovery-code.ts";
import { AT, addOp, buildWorld, codeOf, must, type World, worldDevice } from "../vault-world.test-kit.ts";
import { extendRoster } from "./extend-roster.ts";
import { fingerprint } from "./fingerprint.ts";
import { foldRoster } from "./fold-roster.ts";
import { foundVault } from "./found-vault.ts";
import { makeStatement } from "./make-statement.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});

describe("a client's roster is extended and never left", () => {
  test("V9 newer statements, known ones among them, extend it", async () => {
    const extend = async (from: number, statements: unknown[], head: number) =>
      must(await extendRoster(w.paired, { from, statements, head })).seq;
    expect(await extend(2, w.statements.slice(2), 3)).toBe(3);
    expect(await extend(0, w.statements, 3)).toBe(3);
    expect(await extend(1, w.statements.slice(1, 3), 3)).toBe(2);
    expect(await extend(2, [], 1)).toBe(1);
  });

  test("V9 another vault is never adopted", async () => {
    const stranger = await worldDevice("stranger");
    const recovery = await recoveryKeys("Z".repeat(26));
    const { statement } = await foundVault({
      id: stranger.id,
      keys: stranger.keys,
      platform: "linux",
      recovery,
      at: AT,
    });
    const page = { from: 0, statements: [statement], head: 0 };
    expect(codeOf(await extendRoster(w.rotated, page))).toBe("VAULT_CHANGED");
    expect(codeOf(await extendRoster(w.rotated, { ...page, head: 9 }))).toBe("VAULT_CHANGED");
  });

  test("V9 another statement at a known place is a different view", async () => {
    const ops = [addOp(w.mallory, ["command"])];
    const other = await makeStatement({ roster: w.paired, at: AT, ops }, w.desktop.signer);
    expect(codeOf(await foldRoster([other], w.paired))).toBe("ok");
    const page = { from: 2, statements: [other], head: 3 };
    expect(codeOf(await extendRoster(w.rotated, page))).toBe("EQUIVOCATION");
  });

  test("V9 a shorter list, a hole, and a list that is kept back", async () => {
    expect(codeOf(await extendRoster(w.rotated, { from: 0, statements: w.statements.slice(0, 3), head: 2 }))).toBe(
      "ROLLBACK",
    );
    expect(codeOf(await extendRoster(w.rotated, { from: 4, statements: [], head: 2 }))).toBe("ROLLBACK");
    expect(codeOf(await extendRoster(w.founded, { from: 2, statements: w.statements.slice(2), head: 3 }))).toBe(
      "BAD_ROSTER",
    );
    expect(codeOf(await extendRoster(w.founded, { from: 1, statements: [], head: 3 }))).toBe("WITHHELD");
  });

  test("V6 the roster that was held stays as it was", async () => {
    const before = [w.paired.seq, w.paired.devices.size, w.paired.hashes.length];
    must(await extendRoster(w.paired, { from: 2, statements: w.statements.slice(2), head: 3 }));
    expect([w.paired.seq, w.paired.devices.size, w.paired.hashes.length]).toEqual(before);
    expect(w.three.devices.get(w.phone.id)?.removed).toBeNull();
  });

  test("V25 a fingerprint has 20 symbols in groups of five, and tells views apart", async () => {
    const mine = await fingerprint(w.rotated);
    expect(mine).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await fingerprint(must(await foldRoster(w.statements)))).toBe(mine);
    expect(await fingerprint(w.three)).not.toBe(mine);
  });
});
