import { claimedCommands } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { endRun, openRuns } from "../runs/run-rows.ts";
import { liesInOtherHome } from "../sessions/left-to-other.ts";
import { readSession, sessionsIn } from "../sessions/session-rows.ts";
import { carryOn } from "../supervisor/carry-out.ts";
import { closeRun } from "../supervisor/close-run.ts";
import { sentenceOf } from "../supervisor/read-fault.ts";
import { runSession } from "../supervisor/run-session.ts";
import type { Supervision } from "../supervisor/supervision.ts";
import { listOrphans } from "./list-orphans.ts";
import { lookAtSession } from "./look-at-session.ts";
import { planReconcile, type ReconcilePlan } from "./plan-reconcile.ts";

/**
 * Puts in order what an earlier start of the daemon left: goes on reading its runs, ends what cannot go on, and
 * answers the commands it had claimed. Resolves when those that change a session have been answered.
 */
export async function reconcile(s: Supervision): Promise<void> {
  const { store } = s.deps;
  const sessions = sessionsIn(store, "queued", "running", "stopped", "awaiting_approval").filter(
    (session) => !liesInOtherHome(s.deps.paths.home, session),
  );
  const runs = openRuns(store).filter(({ sessionId }) => !isInOtherHome(s, sessionId));
  const commands = claimedCommands(store);
  const claimed = commands.map((row) => row.sessionId).filter((id) => id !== null);
  const plan = planReconcile({ runs, claimed, sessions: await Promise.all(sessions.map(lookAtSession)) });
  // A resume whose run is adopted is answered by that run.
  for (const row of commands)
    if (row.kind === "resume" && row.sessionId !== null) s.resuming.set(row.sessionId, row.id);
  await s.deps.crashPoint("reconcile.planned");
  inTransaction(store, (tx) => {
    for (const id of plan.endRuns) endRun(tx, id, s.deps.clock());
  });
  for (const run of runs) if (plan.attach.includes(run.id)) attach(s, run);
  for (const row of commands) {
    if (row.kind === "resume" && row.sessionId !== null && !s.active.has(row.sessionId))
      s.resuming.delete(row.sessionId);
  }
  await closeLost(s, plan);
  await tellOrphans(s);
  const carried = commands.map((row) => ({ row, done: carryOn(s, row) }));
  s.markReady();
  const settled = await Promise.allSettled(carried.filter(({ row }) => row.kind !== "stop").map(({ done }) => done));
  for (const one of settled) {
    if (one.status === "rejected")
      s.deps.log.error({ error: sentenceOf(one.reason) }, "a command could not be finished");
  }
  for (const { row, done } of carried) {
    if (row.kind === "stop")
      done.catch((error) => s.deps.log.error({ error: sentenceOf(error) }, "a stop could not be finished"));
  }
  await s.deps.crashPoint("reconcile.done");
}

function isInOtherHome(s: Supervision, sessionId: string): boolean {
  const session = readSession(s.deps.store, sessionId);
  return session !== undefined && liesInOtherHome(s.deps.paths.home, session);
}

function attach(s: Supervision, run: ReturnType<typeof openRuns>[number]): void {
  const { sessionId } = run;
  s.deps.log.info({ sessionId, runId: run.id }, "going on with a run");
  const place = readSession(s.deps.store, sessionId)?.worktree ?? sessionId;
  runSession(s, { sessionId, place, attached: true, open: () => s.runner.attach(run) });
}

async function closeLost(s: Supervision, plan: ReconcilePlan): Promise<void> {
  for (const sessionId of plan.close) {
    await closeRun(s, { sessionId, place: sessionId, attached: true, open: async function* () {} }, null);
  }
  for (const { sessionId, reason } of plan.missing) {
    const what = reason === "repo_missing" ? "repository" : "worktree";
    const detail = `The ${what} of this session is gone and no snapshot of its work is left. The log is kept.`;
    s.inbox.append({ sessionId, type: "task.failed", payload: { reason, detail } });
    s.deps.log.warn({ sessionId, reason }, "a session has nothing left to go on with");
  }
}

async function tellOrphans(s: Supervision): Promise<void> {
  const orphans = await listOrphans({ store: s.deps.store, worktreeRoot: s.deps.settings.worktreeRoot });
  if (!orphans.ok) s.deps.log.warn({ reason: orphans.reason }, "the worktrees could not be listed");
  else if (orphans.paths.length > 0) s.deps.log.warn({ paths: orphans.paths }, "folders that belong to no session");
}
