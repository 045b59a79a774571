import type { CommandRow } from "../commands/command-rows.ts";
import { moveSession } from "../sessions/session-rows.ts";
import { trashRowOf } from "../trash/trash-row-of.ts";
import { putTrash } from "../trash/trash-rows.ts";
import { sessionAtRest } from "./await-run.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { finish, type Supervision } from "./supervision.ts";

/** Puts the worktree into the trash and the session to rejected. Repeated after a crash it ends the same. */
export async function rejectSession(s: Supervision, row: CommandRow): Promise<void> {
  const session = await sessionAtRest(s, row.sessionId);
  if (session.status === "rejected") return finish(s, row, { ending: { state: "done" } });
  if (session.status !== "awaiting_approval") return refuseMoved(s, row, session);
  await s.deps.crashPoint("reject.before-runner");
  await s.runner.reject(session.id);
  await s.deps.crashPoint("reject.after-runner");
  finish(s, row, {
    ending: { state: "done" },
    change(tx) {
      moveSession(tx, session.id, { to: "rejected" });
      const kept = trashRowOf(s.deps, session);
      if (kept !== null) putTrash(tx, kept);
    },
  });
  await s.deps.crashPoint("reject.stored");
}
