import type { ApproveOptions, Diff, SessionRecord, SessionStatus } from "@codehands/contracts";
import { approveWorkspace } from "../git/approve.ts";
import { diffWorkspace } from "../git/diff.ts";
import { trashWorkspace } from "../git/reject.ts";
import { snapshotWorkspace } from "../git/snapshot.ts";
import { RunnerError } from "../runner-error.ts";
import { firstLine } from "./first-line.ts";
import { type RunnerContext, recordOf, workspaceOf } from "./runner-context.ts";

/** What the session's worktree holds beyond its base, read afresh. */
export function diffSession(context: RunnerContext, sessionId: string): Promise<Diff> {
  return diffWorkspace(workspaceOf(recordOf(context, sessionId)));
}

/** Pins the worktree's content in the session's private git folder. */
export async function snapshotSession(
  context: RunnerContext,
  sessionId: string,
): Promise<{ treeId: string; ref: string }> {
  const seen = await snapshotWorkspace(workspaceOf(recordOf(context, sessionId)), context.crashPoint);
  context.records.update(sessionId, { treeId: seen.treeId, snapshotRef: seen.ref });
  return seen;
}

export interface Approval {
  sessionId: string;
  message: string;
  options?: ApproveOptions | undefined;
}

/** Lands the reviewed tree as one commit on the session's branch and puts the worktree away. Safe to repeat. */
export async function approveSession(context: RunnerContext, approval: Approval) {
  const { sessionId, options = {} } = approval;
  const record = recordOf(context, sessionId);
  const status = context.records.status(sessionId);
  const workspace = workspaceOf(record);
  if (status === "approved" && record.commit !== null && record.approvedTreeId !== null) {
    if (options.treeId === undefined || options.treeId === record.approvedTreeId) {
      return { branch: workspace.branch, commit: record.commit, treeId: record.approvedTreeId };
    }
  }
  assertStatus({ sessionId, status, legal: ["awaiting_approval"], verb: "approve" });
  const landed = await approveWorkspace(
    workspace,
    { message: approval.message.trim() || firstLine(record.prompt), options, at: options.at ?? context.clock() },
    context.crashPoint,
  );
  await context.crashPoint("approve.after-landing");
  await trashWorkspace(workspace, { trashRoot: context.home.trash, keepBranch: true }, context.crashPoint);
  context.records.update(sessionId, { commit: landed.commit, approvedTreeId: landed.treeId });
  context.records.move(sessionId, "approved");
  return landed;
}

/** Puts the worktree into the trash and deletes the branch once its content is pinned there. Safe to repeat. */
export async function rejectSession(context: RunnerContext, sessionId: string): Promise<void> {
  const record = recordOf(context, sessionId);
  const status = context.records.status(sessionId);
  if (status === "rejected") return;
  assertStatus({ sessionId, status, legal: ["awaiting_approval"], verb: "reject" });
  await throwAway(context, record);
  context.records.move(sessionId, "rejected");
}

/** Ends a session that waits, was stopped or failed, and puts its worktree into the trash. */
export async function discardSession(context: RunnerContext, sessionId: string): Promise<void> {
  const record = recordOf(context, sessionId);
  const status = context.records.status(sessionId);
  if (status === "rejected") return;
  assertStatus({
    sessionId,
    status,
    legal: ["queued", "stopped", "awaiting_approval", "failed", "approved"],
    verb: "discard",
  });
  if (record.worktree !== null) await throwAway(context, record, status === "approved");
  if (status === "queued" || status === "stopped") context.records.move(sessionId, "failed");
  if (status === "awaiting_approval") context.records.move(sessionId, "rejected");
}

function throwAway(context: RunnerContext, record: SessionRecord, keepBranch = false) {
  return trashWorkspace(workspaceOf(record), { trashRoot: context.home.trash, keepBranch }, context.crashPoint);
}

function assertStatus(o: {
  sessionId: string;
  status: SessionStatus | undefined;
  legal: SessionStatus[];
  verb: string;
}): void {
  if (o.status !== undefined && o.legal.includes(o.status)) return;
  throw new RunnerError(
    "illegal_move",
    `Session ${o.sessionId} is ${o.status}, so ${o.verb} is refused. Nothing was changed.`,
  );
}
