import { type CommandRow, endCommand } from "../commands/command-rows.ts";
import type { Tx } from "../database/transaction.ts";
import type { SessionRow } from "../sessions/session-rows.ts";
import { trashRowOf } from "../trash/trash-row-of.ts";
import { putTrash } from "../trash/trash-rows.ts";
import { mustRead, sessionAtRest } from "./await-run.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { rejectSession } from "./reject-session.ts";
import { cancelled } from "./stop-session.ts";
import { finish, type Supervision } from "./supervision.ts";

/**
 * Throws a session's work away through the trash. A queued or stopped one becomes failed (discarded), a waiting one
 * rejected; a final one only loses what is left of its worktree.
 */
export async function discardSession(s: Supervision, row: CommandRow): Promise<void> {
  const session = await stoppedFirst(s, row);
  if (session.status === "awaiting_approval") return await rejectSession(s, row);
  if (session.status === "running") return refuseMoved(s, row, session);
  if (session.status === "rejected") return finish(s, row, { ending: { state: "done" } });
  await s.deps.crashPoint("discard.before-runner");
  await s.runner.discard(session.id);
  await s.deps.crashPoint("discard.after-runner");
  const keep = (tx: Tx) => {
    const kept = trashRowOf(s.deps, session);
    if (kept !== null) putTrash(tx, kept);
  };
  if (session.status === "failed" || session.status === "approved") {
    finish(s, row, { ending: { state: "done" }, change: keep });
  } else {
    const event =
      session.status === "queued"
        ? cancelled(session.id, "discarded")
        : { sessionId: session.id, type: "task.failed", payload: { reason: "discarded", detail: "Discarded." } };
    s.inbox.append(event, (tx) => {
      keep(tx);
      endCommand(tx, row.id, { state: "done" });
    });
    s.records.settle(session.id);
  }
  await s.deps.crashPoint("discard.stored");
}

/** A queued session whose runner is already at work is stopped before its work is thrown away. */
async function stoppedFirst(s: Supervision, row: CommandRow): Promise<SessionRow> {
  const session = await sessionAtRest(s, row.sessionId);
  if (session.status !== "queued" || !s.active.has(session.id)) return session;
  await s.runner.stop(session.id, { now: true, reason: "discarded", by: row.senderDevice }).catch(() => {});
  await s.active.get(session.id)?.done;
  return mustRead(s, session.id);
}
