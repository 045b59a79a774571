import { expect, test } from "vitest";
import { asServerUser, NOBODY, planServerUser } from "./choose-user.ts";
import { judgeLeftover } from "./claim-folder.ts";
import { parsePostmaster } from "./read-postmaster.ts";

const FULL = "4711\n/data/postgres\n1790000000\n50123\n\n127.0.0.1\n   123 4\nready   \n";

test("a server's own notes are read whole or not at all", () => {
  expect(parsePostmaster(FULL)).toEqual({ pid: 4711, port: 50_123, ready: true });
  expect(parsePostmaster(FULL.replace("ready   ", "starting"))).toEqual({ pid: 4711, port: 50_123, ready: false });
  expect(parsePostmaster("4711\n")).toEqual({ pid: 4711, port: 0, ready: false });
  expect(parsePostmaster("")).toBeNull();
  expect(parsePostmaster("garbage\n")).toBeNull();
});

test("whoever is not root runs the server as he is", () => {
  expect(planServerUser({ uid: 1000, canMap: true, owner: 1000 })).toEqual({ how: "self" });
});

test("root runs the server as a plain user, and a folder stays with the user that made it", () => {
  expect(planServerUser({ uid: 0, canMap: true, owner: null })).toEqual({ how: "mapped" });
  expect(planServerUser({ uid: 0, canMap: true, owner: 0 })).toEqual({ how: "mapped" });
  expect(planServerUser({ uid: 0, canMap: false, owner: null })).toEqual({ how: "as", uid: NOBODY });
  expect(planServerUser({ uid: 0, canMap: true, owner: 70 })).toEqual({ how: "as", uid: 70 });
});

test("a mapped program is started by unshare, another user's by its id", () => {
  const mapped = asServerUser({ how: "mapped" }, "/pg/postgres", ["-D", "x"]);
  expect([mapped.program, mapped.args.slice(-3)]).toEqual(["unshare", ["/pg/postgres", "-D", "x"]]);
  expect(asServerUser({ how: "as", uid: 70 }, "p", []).identity).toEqual({ uid: 70, gid: 70 });
});

test("what an earlier start left is told apart", () => {
  const found = { pid: 5, isServer: true, parentLives: true };
  expect(judgeLeftover({ ...found, pid: null })).toBe("none");
  expect(judgeLeftover({ ...found, isServer: false })).toBe("stale");
  expect(judgeLeftover({ ...found, parentLives: false })).toBe("orphan");
  expect(judgeLeftover(found)).toBe("in_use");
});
