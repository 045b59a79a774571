import type { RunnerEvent } from "@codehands/contracts";
import { DaemonError } from "../home/daemon-error.ts";
import { isRunEnd } from "../sessions/event-stream.ts";
import { closeRun } from "./close-run.ts";
import { sentenceOf } from "./read-fault.ts";
import type { Supervision } from "./supervision.ts";

/** One iterator of the runner. */
export interface RunRequest {
  sessionId: string;
  /** What no other run may use at the same time. */
  place: string;
  /** True for a run that an earlier start of the daemon began. */
  attached: boolean;
  open: () => AsyncIterable<RunnerEvent>;
}

/**
 * Reads a run to its end in the background: every event goes into the log, and a run that ends without saying so
 * gets its last event from us. Never rejects.
 */
export function runSession(s: Supervision, request: RunRequest): void {
  const { sessionId, place } = request;
  let live = () => {};
  const alive = new Promise<void>((resolve) => {
    live = resolve;
  });
  s.onLive.set(sessionId, live);
  const done = readToEnd(s, request)
    .catch((error) => s.deps.log.error({ sessionId, error: sentenceOf(error) }, "a run could not be closed"))
    .then(() => {
      s.active.delete(sessionId);
      s.onLive.delete(sessionId);
      s.resuming.delete(sessionId);
      live();
      s.pump();
    });
  s.active.set(sessionId, { place, live: alive, done });
}

async function readToEnd(s: Supervision, request: RunRequest): Promise<void> {
  const { sessionId } = request;
  const fault = await takeAll(s, request);
  let unsaid: unknown = fault;
  if (s.inbox.isOpen(sessionId)) {
    try {
      await s.inbox.end(sessionId);
    } catch (error) {
      unsaid ??= error;
    }
  }
  s.records.settle(sessionId);
  await s.deps.crashPoint("run.read");
  if (!s.closing) await closeRun(s, request, unsaid);
}

async function takeAll(s: Supervision, request: RunRequest): Promise<unknown> {
  const { sessionId } = request;
  try {
    s.inbox.begin(sessionId);
    for await (const event of request.open()) {
      if (neverStarted(s, request, event)) return null;
      try {
        s.inbox.take(asStored(event));
        await s.deps.crashPoint("run.event-taken");
        await s.inbox.room(sessionId);
      } catch (error) {
        // What cannot be stored must not go on being done; while we stop ourselves the agent lives on.
        if (!isClosed(error)) await s.runner.stop(sessionId, { now: true, reason: "agent_error" }).catch(() => {});
        return error;
      }
    }
    return null;
  } catch (error) {
    return error;
  }
}

/** An adopted run of which it is certain that it never started: the wish behind it is carried out anew instead. */
function neverStarted(s: Supervision, { sessionId, attached }: RunRequest, event: RunnerEvent): boolean {
  if (!attached || event.type !== "task.failed" || event.payload.reason !== "spawn_failed") return false;
  const status = s.inbox.statusOf(sessionId);
  return status === "queued" || status === "stopped";
}

/** A run that we ended because its worktree vanished has failed: there is nothing to resume. */
function asStored(event: RunnerEvent): RunnerEvent {
  if (!isRunEnd(event.type) || event.payload.reason !== "worktree_missing" || event.type === "task.failed")
    return event;
  const { total_cost_usd } = event.payload;
  const detail = "The worktree was removed while the agent was working. The agent was ended; the log is kept.";
  return { ...event, type: "task.failed", payload: { reason: "worktree_missing", detail, total_cost_usd } };
}

function isClosed(error: unknown): boolean {
  return error instanceof DaemonError && error.code === "closed";
}
