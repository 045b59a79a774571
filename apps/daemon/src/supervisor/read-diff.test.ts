import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome, PERSON, removeHome, type SupervisedHome } from "./supervised-home.test-kit.ts";

let home: SupervisedHome;
beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

test("a change that the person went on with is approved as it was reviewed last, and only so", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId: first, worktree } = await home.until(id, "awaiting_approval");
  writeFileSync(join(worktree ?? "", "work.txt"), "edited by the person");
  const reviewed = await home.sessions.diff(id);
  expect(reviewed?.treeId).not.toBe(first);
  expect(await home.sessions.get(id)).toMatchObject({ treeId: reviewed?.treeId });
  const stale = await home.sessions.approve({ ...home.about(id), treeId: first ?? "" }, PERSON);
  expect(stale).toMatchObject({ ok: false, code: "stale_tree", session: { status: "awaiting_approval" } });
  const landed = await home.sessions.approve({ ...home.about(id), treeId: reviewed?.treeId ?? "" }, PERSON);
  expect(landed).toMatchObject({ ok: true, session: { status: "approved" }, result: { treeId: reviewed?.treeId } });
});

test("a diff of a session that is over pins nothing", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId } = await home.until(id, "awaiting_approval");
  await home.sessions.reject(home.about(id), PERSON);
  expect((await home.sessions.diff(id))?.treeId).not.toBe(treeId);
  expect(await home.sessions.get(id)).toMatchObject({ treeId });
});
