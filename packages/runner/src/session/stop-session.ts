import type { StopOptions } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { type RunnerContext, recordOf } from "./runner-context.ts";

/**
 * Ends a running session's processes and resolves when none is left. `task.stopped` comes out of
 * the iterator that start, resume or attach returned. The worktree is kept.
 */
export async function stopSession(context: RunnerContext, sessionId: string, options: StopOptions = {}): Promise<void> {
  recordOf(context, sessionId);
  const active = context.active.get(sessionId);
  if (active === undefined) {
    throw new RunnerError("illegal_move", `Session ${sessionId} is not running, so there is nothing to stop.`);
  }
  active.stop ??= { reason: options.reason ?? "person", ...(options.by === undefined ? {} : { by: options.by }) };
  await active.prepared;
  await active.kill?.(options.now === true ? 0 : context.limits.graceMs);
  const status = context.records.status(sessionId);
  // The iterator may be waiting for its consumer, so the move is made here; it makes the same one.
  if (status === "running") context.records.move(sessionId, "stopped");
  else if (status === "awaiting_approval") {
    throw new RunnerError(
      "illegal_move",
      `Session ${sessionId} finished before it could be stopped. Its change waits for review.`,
    );
  }
}
