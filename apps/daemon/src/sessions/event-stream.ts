import {
  canTransition,
  type RunnerEvent,
  type RunPosition,
  type SessionStatus,
  TERMINAL_EVENT_TYPES,
} from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { DaemonError } from "../home/daemon-error.ts";
import type { NewEvent } from "./event-log.ts";
import { targetOf } from "./fold-event.ts";
import { lastSeqOf, statusOf } from "./session-rows.ts";

/** The events of one open iterator that are not stored yet. */
export interface Stream {
  sessionId: string;
  /** The status after the last event taken, which may not be stored yet. */
  status(): SessionStatus;
  /** The status that a taken event moves to, until it is stored. */
  moved: SessionStatus | null;
  lastSeq: number;
  runId: string | null;
  /** Taken since the last position: they wait for theirs. */
  open: NewEvent[];
  /** Complete with their position: they go with the next commit. */
  ready: NewEvent[];
  positions: Map<string, number>;
  /** What a commit of these events threw; the iterator is told at its next event. */
  fault: unknown;
  /** Makes the open events ready, with the position they belong to (null: they have none). */
  gather(position: RunPosition | null): void;
}

/** Begins at what is stored of a session. Throws `not_found`. */
export function openStream(store: OpenDatabase, sessionId: string): Stream {
  const stored = (): SessionStatus => {
    const status = statusOf(store, sessionId);
    if (status === undefined) throw new DaemonError("not_found", `There is no session ${sessionId}.`);
    return status;
  };
  stored();
  const stream: Stream = {
    sessionId,
    status: () => stream.moved ?? stored(),
    moved: null,
    lastSeq: lastSeqOf(store, sessionId) ?? 0,
    runId: null,
    open: [],
    ready: [],
    positions: new Map(),
    fault: null,
    gather(position) {
      if (position !== null) {
        stream.runId = position.runId;
        stream.positions.set(position.runId, position.byteOffset);
      }
      for (const event of stream.open) stream.ready.push({ ...event, runId: event.runId ?? stream.runId });
      stream.open = [];
    },
  };
  return stream;
}

/** True for the types that end a run. */
export function isRunEnd(type: string): boolean {
  return TERMINAL_EVENT_TYPES.some((terminal) => terminal === type);
}

/** Takes an event into a stream. Throws `seq_gap` for any number but the next, and `illegal_move`. */
export function acceptEvent(stream: Stream, event: RunnerEvent): void {
  if (event.seq !== stream.lastSeq + 1) {
    throw new DaemonError(
      "seq_gap",
      `Event ${event.seq} of session ${stream.sessionId} was refused: ${stream.lastSeq + 1} is the next number.`,
    );
  }
  const target = targetOf(event.type);
  // Most events move nothing: only one that does needs to know the status.
  const status = target === null ? null : stream.status();
  const moves = target !== null && status !== null && !(target === "running" && status === "running");
  if (moves && !canTransition(status, target)) {
    throw new DaemonError(
      "illegal_move",
      `Event ${event.seq} (${event.type}) cannot move session ${stream.sessionId}, which is ${status}.`,
    );
  }
  const { runId } = event.payload;
  if (event.type === "task.started" && typeof runId === "string") stream.runId = runId;
  stream.lastSeq = event.seq;
  if (moves) stream.moved = target;
  stream.open.push({ ...event, runId: event.type === "task.started" ? stream.runId : null });
}
