import type { RunnerEvent } from "@codehands/contracts";
import { EventSequence } from "../events.ts";
import { diffStat } from "../git/diff.ts";
import { snapshotWorkspace } from "../git/snapshot.ts";
import { restoreWorkspace } from "../git/undo.ts";
import { RunnerError } from "../runner-error.ts";
import { type RunnerContext, recordOf, workspaceOf } from "./runner-context.ts";

/**
 * Brings a thrown-away session's content back as the session `into`, which then waits for approval.
 * Worktree and private git folder keep their paths and go over to the new session.
 */
export async function* undoSession(
  context: RunnerContext,
  sessionId: string,
  into: string,
): AsyncGenerator<RunnerEvent> {
  const old = recordOf(context, sessionId);
  const status = context.records.status(sessionId);
  if (status !== "rejected" && status !== "failed") {
    throw new RunnerError("illegal_move", `Session ${sessionId} is ${status}, so there is nothing to undo.`);
  }
  if (context.records.get(into) === undefined) {
    context.records.create({ ...old, sessionId: into, commit: null, approvedTreeId: null, lastSeq: 0 });
  }
  const { restored, lost } = await restoreWorkspace(
    workspaceOf(old),
    { trashRoot: context.home.trash },
    context.crashPoint,
  );
  const record = recordOf(context, into);
  const workspace = { ...workspaceOf(old), sessionId: into };
  const events = new EventSequence(into, { afterSeq: record.lastSeq, clock: context.clock });
  context.records.move(into, "running");
  yield events.next("task.started", {
    agent: record.agent,
    model: record.model,
    cwd: workspace.worktree,
    agentSessionId: record.agentSessionId,
    runId: sessionId,
    phase: "single",
    restoredFrom: sessionId,
  });
  if (restored === "snapshot" && lost.length > 0) {
    yield events.next("message", { text: `Not brought back: ${lost.join(", ")}.`, role: "notice", severity: "warn" });
  }
  const seen = await snapshotWorkspace(workspace, context.crashPoint);
  const { stat } = await diffStat(workspace, seen.treeId);
  context.records.update(into, { treeId: seen.treeId, snapshotRef: seen.ref });
  context.records.move(into, "awaiting_approval");
  yield events.next("task.finished", {
    total_cost_usd: 0,
    usage: null,
    num_turns: null,
    result: "Brought back from the trash.",
    diffStat: stat,
    treeId: seen.treeId,
    restored: true,
  });
}
