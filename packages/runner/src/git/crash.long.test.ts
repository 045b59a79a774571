import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git, listing, makeRepo, personFingerprint, type World, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";

const AT = "2026-02-03T04:05:06Z";
const SESSION = "3f2a9c1e-7d3b-4b57-9a39-0c6f2a1b4d5e";

type CrashPoint = (name: string) => Promise<void>;
type Step = (code: Code, run: Run) => Promise<void>;
interface Run {
  world: World;
  ws: Workspace | null;
  crashPoint: CrashPoint;
}

/** Our code as a process that has just started has it: no lock of an earlier one is left in memory. */
async function freshCode() {
  vi.resetModules();
  const [prepare, snapshot, approve, reject, undo] = await Promise.all([
    import("./prepare-workspace.ts"),
    import("./snapshot.ts"),
    import("./approve.ts"),
    import("./reject.ts"),
    import("./undo.ts"),
  ]);
  return { ...prepare, ...snapshot, ...approve, ...reject, ...undo };
}
type Code = Awaited<ReturnType<typeof freshCode>>;

function wsOf(run: Run): Workspace {
  if (run.ws === null) throw new Error("not prepared");
  return run.ws;
}

const prepareStep: Step = async (code, run) => {
  const prepared = await code.prepareWorkspace(run.world.options({ sessionId: SESSION }), run.crashPoint);
  if (!prepared.ok) throw new Error(prepared.detail);
  run.ws = prepared.workspace;
  write(run.ws.worktree, { "a.txt": "agent\n", "new/n.txt": "n\n", ".env": "SECRET=1\n" });
  if (git(run.ws.worktree, "rev-list", "--count", "HEAD") === "1") {
    git(run.ws.worktree, "add", "new");
    git(run.ws.worktree, "commit", "-qm", "agent's own");
  }
};
const snapshotStep: Step = async (code, run) => void (await code.snapshotWorkspace(wsOf(run), run.crashPoint));
const approveStep: Step = async (code, run) =>
  void (await code.approveWorkspace(wsOf(run), { message: "m", options: {}, at: AT }, run.crashPoint));
const trashStep =
  (keepBranch: boolean): Step =>
  async (code, run) =>
    void (await code.trashWorkspace(wsOf(run), { trashRoot: run.world.trashRoot, keepBranch }, run.crashPoint));
const undoStep: Step = async (code, run) => void (await code.restoreWorkspace(wsOf(run), run.world, run.crashPoint));
const loseFolder: Step = async (_, run) => {
  const { rm } = await import("node:fs/promises");
  if (!existsSync(wsOf(run).worktree)) await rm(run.world.trashRoot, { recursive: true, force: true });
};

const FLOWS: Record<string, Step[]> = {
  approve: [prepareStep, snapshotStep, approveStep, trashStep(true)],
  "reject and undo": [prepareStep, trashStep(false), undoStep],
  "reject and undo from the snapshot": [prepareStep, trashStep(false), loseFolder, undoStep],
};

/** Everything that must be the same however often the work was interrupted. */
function endState(run: Run): Record<string, unknown> {
  const ws = wsOf(run);
  const refs = (folder: string) => git(folder, "for-each-ref", "--format=%(refname) %(objectname)");
  const noGit = (path: string) => /(^|\/)\.git$/.test(path);
  return {
    refs: refs(run.world.repo),
    pinned: refs(ws.privateGitDir),
    worktrees: git(run.world.repo, "worktree", "list", "--porcelain").match(/^worktree /gm)?.length,
    files: existsSync(ws.worktree) ? listing(ws.worktree, noGit) : null,
    trash: existsSync(run.world.trashRoot) ? listing(run.world.trashRoot, noGit) : null,
    marker: existsSync(`${ws.worktree}.owner.json`),
  };
}

/** Runs a flow; at the nth time that a point is passed, everything of that process stops for ever. */
async function runFlow(steps: Step[], crashAt: string | null): Promise<{ run: Run; passed: string[] }> {
  const passed: string[] = [];
  const run: Run = { world: await makeRepo(), ws: null, crashPoint: async () => {} };
  const before = personFingerprint(run.world.repo);
  let code = await freshCode();
  for (const step of steps) {
    let crash = () => {};
    const crashed = new Promise<"crashed">((resolve) => {
      crash = () => resolve("crashed");
    });
    run.crashPoint = async (name) => {
      passed.push(name);
      if (name !== crashAt || passed.filter((point) => point === name).length > 1) return;
      crash();
      await new Promise(() => {});
    };
    if ((await Promise.race([step(code, run).then(() => "done"), crashed])) === "done") continue;
    code = await freshCode();
    run.crashPoint = async () => {};
    await step(code, run);
  }
  expect(personFingerprint(run.world.repo)).toEqual(before);
  return { run, passed };
}

test.each(Object.keys(FLOWS))("F01 G03 G04 %s: stopped at every step and run again, it ends the same", async (name) => {
  const steps = FLOWS[name] ?? [];
  const dry = await runFlow(steps, null);
  const expected = endState(dry.run);
  const points = [...new Set(dry.passed)];
  expect(points.length).toBeGreaterThan(10);
  for (const point of points) {
    const { run } = await runFlow(steps, point);
    expect({ point, ...endState(run) }).toEqual({ point, ...expected });
  }
});

test("prepare stopped at every step leaves one worktree and one branch", async () => {
  const dry = await runFlow([prepareStep], null);
  expect(join(dry.run.ws?.worktree ?? "", "..")).toContain("worktrees");
  for (const point of new Set(dry.passed)) {
    const { run } = await runFlow([prepareStep], point);
    expect({ point, ...endState(run) }).toEqual({ point, ...endState(dry.run) });
    expect(git(run.world.repo, "for-each-ref", "refs/heads/codehands").split("\n")).toHaveLength(1);
  }
});
