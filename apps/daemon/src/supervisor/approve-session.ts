import type { ApprovePayload } from "@codehands/contracts";
import { type CommandRow, firstApprovalAt } from "../commands/command-rows.ts";
import { moveSession } from "../sessions/session-rows.ts";
import { closeTask } from "../tasks/task-rows.ts";
import { trashRowOf } from "../trash/trash-row-of.ts";
import { putTrash } from "../trash/trash-rows.ts";
import { sessionAtRest } from "./await-run.ts";
import { messageOf } from "./default-message.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { finish, type Supervision } from "./supervision.ts";

/**
 * Lands the reviewed tree as one commit. The commit's time is the command's, so that a repetition after a crash
 * makes the same commit; outcome and status are stored together.
 */
export async function approveSession(s: Supervision, row: CommandRow, payload: ApprovePayload): Promise<void> {
  const session = await sessionAtRest(s, row.sessionId);
  if (session.status === "approved" && session.approvedTreeId === payload.treeId) {
    const result = { branch: session.branch, commit: session.commit, treeId: session.approvedTreeId };
    return finish(s, row, { ending: { state: "done", result } });
  }
  if (session.status !== "awaiting_approval") return refuseMoved(s, row, session);
  const { kind: _kind, message, ...options } = payload;
  const at = firstApprovalAt(s.deps.store, session.id, payload) ?? row.receivedAt;
  await s.deps.crashPoint("approve.before-runner");
  const landed = await s.runner.approve(session.id, messageOf(message, session.prompt), { ...options, at });
  await s.deps.crashPoint("approve.after-runner");
  finish(s, row, {
    ending: { state: "done", result: { ...landed } },
    change(tx) {
      const change = { branch: landed.branch, commit: landed.commit, approvedTreeId: landed.treeId };
      moveSession(tx, session.id, { to: "approved", change });
      closeTask(tx, session.taskId, s.deps.clock());
      const kept = trashRowOf(s.deps, session);
      if (kept !== null) putTrash(tx, kept);
    },
  });
  await s.deps.crashPoint("approve.stored");
}
