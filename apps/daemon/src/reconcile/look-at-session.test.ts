import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeStore } from "../sessions/session-store.test-kit.ts";
import { listOrphans } from "./list-orphans.ts";
import { lookAtSession, lookForWorktree } from "./look-at-session.ts";

let dir: string;
let worktree: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "codehands-look-"));
  worktree = join(dir, "worktrees", "repo", "aaaa1111");
  mkdirSync(worktree, { recursive: true });
  mkdirSync(join(dir, "git", "refs", "codehands"), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const ref = "refs/codehands/snapshot";
const look = (over = {}) =>
  lookAtSession({
    id: "s",
    status: "stopped",
    worktree,
    privateGitDir: join(dir, "git"),
    snapshotRef: ref,
    repoPath: dir,
    ...over,
  });

test("worktree and snapshot are seen, loose and packed, and missed when they are gone", async () => {
  expect(await look()).toMatchObject({ worktree: "there", snapshot: "gone", repo: "there" });
  writeFileSync(join(dir, "git", "packed-refs"), `# pack-refs with: peeled\n${"a".repeat(40)} ${ref}\n`);
  expect(await look()).toMatchObject({ snapshot: "there" });
  rmSync(join(dir, "git", "packed-refs"));
  writeFileSync(join(dir, "git", ref), "a".repeat(40));
  rmSync(worktree, { recursive: true });
  expect(await look({ repoPath: join(dir, "away") })).toMatchObject({
    worktree: "gone",
    snapshot: "there",
    repo: "gone",
  });
  expect(await look({ worktree: null, snapshotRef: null })).toMatchObject({ worktree: null, snapshot: null });
});

test("a folder of worktrees that is not there says nothing about one of them (a disk that is not mounted)", async () => {
  renameSync(join(dir, "worktrees"), join(dir, "unmounted"));
  expect(await lookForWorktree(worktree)).toBe("unknown");
});

test("what cannot be looked at is unknown, not gone", async () => {
  symlinkSync("loop", join(dir, "loop"));
  expect(await lookForWorktree(join(dir, "loop", "repo", "x"))).toBe("unknown");
});

test("C050: folders of no session are listed, also below a linked root, and left where they are", async () => {
  const s = makeStore();
  const known = s.add();
  s.store.prepare("update sessions set worktree = ? where id = ?").run(worktree, known);
  const orphan = join(dir, "worktrees", "repo", "bbbb2222");
  mkdirSync(orphan);
  writeFileSync(join(dir, "worktrees", "repo", "aaaa1111.owner.json"), "{}");
  symlinkSync(join(dir, "worktrees"), join(dir, "linked"));
  for (const root of ["worktrees", "linked"]) {
    const at = { store: s.store, worktreeRoot: join(dir, root) };
    expect(await listOrphans(at)).toEqual({ ok: true, paths: [orphan] });
  }
  expect(await listOrphans({ store: s.store, worktreeRoot: join(dir, "none") })).toEqual({ ok: true, paths: [] });
  expect(await listOrphans({ store: s.store, worktreeRoot: join(dir, "loop") })).toMatchObject({ ok: true });
  s.close();
});
