import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { snapshotWorkspace } from "./snapshot.ts";
import { restoreWorkspace } from "./undo.ts";
import { git, makeRepo, prepare, write } from "./workspace.test-kit.ts";

test("C044 16 starts at once on a repository with a tracked base: all succeed, 16 worktrees, 16 branches", async () => {
  const world = await makeRepo();
  const origin = join(world.root, "origin.git");
  git(world.root, "clone", "-q", "--bare", world.repo, origin);
  git(world.repo, "remote", "add", "origin", origin);
  git(world.repo, "fetch", "-q", "origin");
  git(world.repo, "branch", "-q", "-u", "origin/main");
  const prepared = await Promise.all(
    Array.from({ length: 16 }, () => prepareWorkspace(world.options({ base: "origin/main" }))),
  );
  expect(prepared.filter(({ ok }) => !ok)).toEqual([]);
  expect(git(world.repo, "worktree", "list").split("\n")).toHaveLength(17);
  expect(git(world.repo, "for-each-ref", "refs/heads/codehands").split("\n")).toHaveLength(16);
  expect(git(world.repo, "config", "--get-regexp", "^branch\\.").split("\n")).toHaveLength(2);
});

/** A process that changes, adds and removes files in a folder until it is stopped. */
async function writeOn(folder: string, program: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["-e", program], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  };
}

test("F29 approve while a process rewrites files: each landed tree is one that was read, or the refusal is plain", async () => {
  const world = await makeRepo();
  const program = `const fs=require("fs");let n=0;console.log("go");const f=()=>{n++;fs.writeFileSync("w"+(n%5),"x".repeat(n%4000));if(n%3===0)fs.rmSync("w"+((n+2)%5),{force:true});setImmediate(f)};f()`;
  for (let round = 0; round < 8; round += 1) {
    const ws = await prepare(world);
    write(ws.worktree, { "a.txt": `${round}\n` });
    const stop = await writeOn(ws.worktree, program);
    try {
      const landed = await approveWorkspace(ws, { message: "m", options: {}, at: "2026-01-01T00:00:00Z" }).catch(
        (error) => error,
      );
      if (landed instanceof Error) {
        expect(landed).toMatchObject({ code: "still_changing" });
        expect(git(world.repo, "rev-parse", ws.branch)).toBe(ws.baseCommit);
      } else {
        expect(git(world.repo, "rev-parse", `${ws.branch}^{tree}`)).toBe(landed.treeId);
        git(world.repo, "fsck", "--connectivity-only", landed.commit);
      }
    } finally {
      await stop();
    }
  }
});

test("C063 readings beside an agent's own git: none of its commands fails on a lock", async () => {
  const world = await makeRepo();
  const ws = await prepare(world);
  const ended = new AbortController();
  const reads = (async () => {
    while (!ended.signal.aborted) await readTree(ws);
  })();
  try {
    for (let n = 0; n < 60; n += 1) {
      write(ws.worktree, { [`f${n % 7}.txt`]: `${n}\n` });
      const child = spawn("git", ["add", "-A"], { cwd: ws.worktree, stdio: "ignore" });
      const [code] = await once(child, "close");
      expect(code).toBe(0);
    }
  } finally {
    ended.abort();
    await reads;
  }
});

test("F27 gc --prune=now in the repository between all steps loses nothing", async () => {
  const world = await makeRepo();
  const gc = () => {
    git(world.repo, "reflog", "expire", "--expire=now", "--all");
    git(world.repo, "gc", "-q", "--prune=now");
  };
  const ws = await prepare(world);
  gc();
  write(ws.worktree, { "a.txt": "x\n", "n.txt": "n\n" });
  git(ws.worktree, "add", "-A");
  git(ws.worktree, "reset", "-q");
  const { treeId } = await readTree(ws);
  gc();
  expect((await snapshotWorkspace(ws)).treeId).toBe(treeId);
  gc();
  await trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false });
  // The base itself may go from every branch: it is pinned.
  git(world.repo, "checkout", "-q", "--orphan", "fresh");
  git(world.repo, "commit", "-q", "--allow-empty", "-m", "fresh");
  git(world.repo, "branch", "-qD", "main");
  gc();
  rmSync(join(world.trashRoot, ws.sessionId), { recursive: true });
  expect((await restoreWorkspace(ws, world)).restored).toBe("snapshot");
  gc();
  expect((await readTree(ws)).treeId).toBe(treeId);
  const seen = new Set<string>();
  const landed = await approveWorkspace(
    ws,
    { message: "m", options: { treeId }, at: "2026-01-01T00:00:00Z" },
    (point) => {
      if (!seen.has(point)) gc();
      seen.add(point);
    },
  );
  expect(seen).toContain("approve.after-land-objects");
  gc();
  expect(git(world.repo, "rev-parse", `${ws.branch}^{tree}`)).toBe(landed.treeId);
  git(world.repo, "fsck", "--full");
});
