import { expect } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffWorkspace } from "./diff.ts";
import { plant, provoke, type Scenario } from "./planted.test-kit.ts";
import { readTree } from "./read-tree.ts";
import { trashWorkspace } from "./reject.ts";
import { snapshotWorkspace } from "./snapshot.ts";
import { restoreWorkspace } from "./undo.ts";
import { prepare } from "./workspace.test-kit.ts";
import { checkWorkspace } from "./workspace-state.ts";

/** Takes a poisoned workspace through everything we do and tells which planted programs ran at each step. */
export async function runPlanted(scenario: Scenario): Promise<Record<string, string[]>> {
  const planted = await plant(scenario);
  const { ws, world } = planted;
  const ran: Record<string, string[]> = {};
  const step = async (name: string, act: () => Promise<unknown>) => {
    await act();
    ran[name] = planted.ran();
    planted.forget();
  };
  let treeId = "";
  await step("diff", async () => {
    treeId = (await diffWorkspace(ws)).treeId;
  });
  await step("read again", () => readTree(ws));
  await step("snapshot", () => snapshotWorkspace(ws));
  await step("reject", () => trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: false }));
  await step("undo", () => restoreWorkspace(ws, world));
  await step("preflight", () => checkWorkspace(ws));
  await step("approve", async () => {
    const landed = await approveWorkspace(ws, {
      message: "m",
      // The plants lie in the tree as files; the nested repository's are taken in too.
      options: { treeId, absorbNested: true },
      at: "2026-01-01T00:00:00Z",
    });
    expect(landed.branch).toBe(ws.branch);
  });
  await step("put away", () => trashWorkspace(ws, { trashRoot: world.trashRoot, keepBranch: true }));
  await step("next start", async () => {
    const next = await prepare(world);
    await diffWorkspace(next);
  });
  return ran;
}

/** What plain git ran in the same situation. */
export async function runControl(scenario: Scenario): Promise<string[]> {
  const planted = await plant(scenario);
  provoke(planted, scenario);
  return planted.ran();
}
