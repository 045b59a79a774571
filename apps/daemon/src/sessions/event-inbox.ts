import type { RunnerEvent, RunPosition, SessionStatus } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { setRunOffset } from "../runs/run-rows.ts";
import { createCommitPace, type Pace } from "./commit-pace.ts";
import { appendEvents, type LogContext, type NewEvent } from "./event-log.ts";
import { acceptEvent, isRunEnd, openStream, type Stream } from "./event-stream.ts";
import type { SessionBus } from "./session-bus.ts";
import { generationOf, lastSeqOf, statusOf } from "./session-rows.ts";

/** Called in the transaction that stores an event which moves the session's status. */
export type MoveHook = (tx: Tx, event: NewEvent) => void;

export interface EventInbox {
  /** Opens the inbox for one iterator of a runner. Only one per session. */
  begin(sessionId: string): void;
  /** Takes the next event. Throws `seq_gap` or `illegal_move`, and the fault of an earlier commit. */
  take(event: RunnerEvent): void;
  /** Everything taken since the last position belongs to one transaction with this one. */
  position(position: RunPosition): void;
  /** Resolves when the next event may be taken: at once, unless the disk is full. */
  room(sessionId: string): Promise<void>;
  /** Stores what was taken and closes the iterator's place. Throws the fault of a commit. */
  end(sessionId: string): Promise<void>;
  /** Stores an event of the daemon's own, with `also` in the same transaction. Refused while an iterator is open. */
  append(own: { sessionId: string; type: string; payload: Record<string, unknown> }, also?: (tx: Tx) => void): void;
  /** The status as taken, which may be ahead of what is stored by some milliseconds. */
  statusOf(sessionId: string): SessionStatus | undefined;
  isOpen(sessionId: string): boolean;
  /** Adds a hook to the moves of a session; returns how to take it away. */
  onMove(sessionId: string, hook: MoveHook): () => void;
  /** Stores what is complete and takes no more: what was not stored is read again from the run's output. */
  close(): void;
}

export interface InboxOptions extends LogContext {
  store: OpenDatabase;
  bus: SessionBus;
  /** ISO time of now. */
  clock: () => string;
  warn: (what: { event: string; error: unknown }) => void;
  pace?: Partial<Pace>;
}

/** Gathers the events of all running sessions and commits them: at once after a quiet moment, else in groups. */
export function createEventInbox(options: InboxOptions): EventInbox {
  const { store, bus } = options;
  const streams = new Map<string, Stream>();
  const hooks = new Map<string, Set<MoveHook>>();
  let closed = false;
  const pace = createCommitPace(() => commit(), options.pace);

  const write = (tx: Tx, stream: Stream) => {
    appendEvents(tx, numbered(store, stream), options);
    for (const [runId, offset] of stream.positions) setRunOffset(tx, runId, offset);
    for (const event of stream.ready) if (isMove(event)) callHooks(tx, event);
  };
  const callHooks = (tx: Tx, event: NewEvent) => {
    for (const hook of hooks.get(event.sessionId) ?? []) hook(tx, event);
  };
  const stored = (stream: Stream) => {
    const news = stream.ready.length > 0;
    stream.ready = [];
    stream.positions.clear();
    if (stream.open.length === 0) stream.moved = null;
    if (news) bus.poke(stream.sessionId);
  };

  function commit(): void {
    const batch = [...streams.values()].filter((s) => s.ready.length > 0 || s.positions.size > 0);
    if (batch.length === 0) return pace.settled();
    try {
      inTransaction(store, (tx) => batch.forEach((stream) => write(tx, stream)));
    } catch (error) {
      if (isDiskFull(error)) {
        options.warn({ event: "disk_full", error });
        return pace.retry();
      }
      // One session's fault must not hold the others back: each on its own.
      for (const stream of batch) commitAlone(stream);
      return pace.settled();
    }
    batch.forEach(stored);
    pace.settled();
  }

  function commitAlone(stream: Stream): void {
    try {
      inTransaction(store, (tx) => write(tx, stream));
      stored(stream);
    } catch (error) {
      if (isDiskFull(error)) return pace.retry();
      options.warn({ event: "events_refused", error });
      stream.fault = error;
      stream.ready = [];
      stream.positions.clear();
    }
  }

  const streamOf = (sessionId: string): Stream => {
    const stream = streams.get(sessionId);
    if (stream === undefined) throw new DaemonError("not_found", `No run of session ${sessionId} is being read.`);
    return stream;
  };

  return {
    begin(sessionId) {
      if (streams.has(sessionId)) throw new DaemonError("illegal_move", `Session ${sessionId} is being read already.`);
      streams.set(sessionId, openStream(store, sessionId));
    },
    take(event) {
      if (closed) throw new DaemonError("closed", "The daemon is stopping; this event is read again later.");
      const stream = streamOf(event.sessionId);
      if (stream.fault !== null) throw stream.fault;
      acceptEvent(stream, event);
      if (isRunEnd(event.type)) {
        pace.cancel(stream);
        stream.gather(null);
        commit();
        if (stream.fault !== null) throw stream.fault;
      } else {
        pace.later(stream, () => {
          stream.gather(null);
          commit();
        });
      }
    },
    position(position) {
      const stream = closed ? undefined : streams.get(position.sessionId);
      if (stream === undefined) return;
      pace.cancel(stream);
      stream.gather(position);
      if (stream.ready.length > 0) pace.soon([...streams.values()].reduce((sum, s) => sum + s.ready.length, 0));
    },
    room: async (sessionId) => {
      if (streams.get(sessionId)?.fault == null) await pace.room();
    },
    async end(sessionId) {
      const stream = streamOf(sessionId);
      pace.cancel(stream);
      stream.gather(null);
      commit();
      const isWaiting = () => !closed && (stream.ready.length > 0 || stream.positions.size > 0);
      while (isWaiting()) await pace.room();
      streams.delete(sessionId);
      if (stream.fault !== null) throw stream.fault;
    },
    append({ sessionId, type, payload }, also) {
      if (streams.has(sessionId)) {
        throw new DaemonError("illegal_move", `Session ${sessionId} is being read, so its events come from its run.`);
      }
      const event: NewEvent = { sessionId, type, payload, at: options.clock(), runId: null, seq: 0 };
      inTransaction(store, (tx) => {
        event.seq = (lastSeqOf(store, sessionId) ?? 0) + 1;
        appendEvents(tx, [event], options);
        callHooks(tx, event);
        also?.(tx);
      });
      bus.poke(sessionId);
    },
    statusOf: (sessionId) => streams.get(sessionId)?.status() ?? statusOf(store, sessionId),
    isOpen: (sessionId) => streams.has(sessionId),
    onMove(sessionId, hook) {
      const set = hooks.get(sessionId) ?? new Set();
      hooks.set(sessionId, set.add(hook));
      return () => {
        set.delete(hook);
        if (set.size === 0 && hooks.get(sessionId) === set) hooks.delete(sessionId);
      };
    },
    close() {
      if (closed) return;
      commit();
      closed = true;
      pace.stop();
    },
  };
}

/** Where the sync has numbered a log anew, its run still counts by the old numbers: its events take the next ones. */
function numbered(store: OpenDatabase, { sessionId, ready }: Stream): NewEvent[] {
  if (generationOf(store, sessionId) === 0) return ready;
  const last = lastSeqOf(store, sessionId) ?? 0;
  return ready.map((event, at) => ({ ...event, seq: last + 1 + at }));
}

function isMove(event: NewEvent): boolean {
  return event.type === "task.started" || isRunEnd(event.type);
}

function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "SQLITE_FULL" || code === "SQLITE_IOERR_WRITE" || code === "SQLITE_IOERR_FSYNC";
}
