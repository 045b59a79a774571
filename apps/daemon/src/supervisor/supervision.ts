import type { Runner } from "@codehands/contracts";
import { type CommandRow, type Ending, endCommand } from "../commands/command-rows.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { makeUuidV7 } from "../database/uuid-v7.ts";
import { createEventInbox, type EventInbox } from "../sessions/event-inbox.ts";
import { createSessionBus, type SessionBus } from "../sessions/session-bus.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { sentenceOf } from "./read-fault.ts";
import { createSessionRecords, type DaemonRecords } from "./session-records.ts";
import type { SupervisorDeps } from "./supervisor-deps.ts";

/** A run that this process is reading. */
export interface ActiveRun {
  place: string;
  /** Resolves when its process is known to live, or at its end. */
  live: Promise<void>;
  /** Resolves when everything it brought is stored and its runner has let go. */
  done: Promise<void>;
}

/** A resume that waits until the device may run one more. */
export interface WaitingResume {
  sessionId: string;
  commandId: string;
  prompt?: string;
  budgetUsd?: number;
  /** True while its command still holds the session's lane. */
  inLane: boolean;
}

/** What the parts of the supervisor share. Made once per daemon. */
export interface Supervision {
  readonly deps: SupervisorDeps;
  readonly runner: Runner;
  readonly records: DaemonRecords;
  readonly inbox: EventInbox;
  readonly bus: SessionBus;
  readonly lanes: Lanes;
  readonly newId: () => string;
  readonly active: Map<string, ActiveRun>;
  readonly waitingResumes: WaitingResume[];
  /** The resume commands whose runs are not known to live yet, by session. */
  readonly resuming: Map<string, string>;
  /** Called when a run has become live. */
  readonly onLive: Map<string, () => void>;
  /** Resolves once everything that an earlier start left stands before new commands. */
  readonly ready: Promise<void>;
  readonly markReady: () => void;
  /** Starts whatever may start now. */
  pump: () => void;
  closing: boolean;
}

/** Puts the supervisor's parts together. `pump` does nothing until it is set. */
export function createSupervision(deps: SupervisorDeps): Supervision {
  const { store, log, clock } = deps;
  const newId = makeUuidV7(() => Date.parse(clock()));
  const bus = createSessionBus((error) => log.error({ error: sentenceOf(error) }, "a watcher failed"));
  const inbox = createEventInbox({
    store,
    bus,
    clock,
    newId,
    get deviceId() {
      return deps.deviceId;
    },
    warn: ({ event, error }) => log.warn({ event, error: sentenceOf(error) }, "events could not be stored"),
  });
  const records = createSessionRecords({
    store,
    inbox,
    onStored: bus.poke,
    onLive(tx, run) {
      const commandId = supervision.resuming.get(run.sessionId);
      if (commandId !== undefined) endCommand(tx, commandId, { state: "done" });
      supervision.onLive.get(run.sessionId)?.();
    },
  });
  const runner = deps.makeRunner({ records, onPosition: inbox.position, crashPoint: deps.crashPoint, clock });
  let markReady = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const supervision: Supervision = {
    deps,
    runner,
    records,
    inbox,
    bus,
    newId,
    lanes: createLanes(() => supervision.pump()),
    active: new Map(),
    waitingResumes: [],
    resuming: new Map(),
    onLive: new Map(),
    ready,
    markReady,
    pump: () => {},
    closing: false,
  };
  return supervision;
}

/** Stores the answer to a command and what it changed in one transaction, then tells the watchers. */
export function finish(
  s: Supervision,
  row: Pick<CommandRow, "id" | "sessionId">,
  outcome: { ending: Ending; change?: (tx: Tx) => void },
): void {
  try {
    inTransaction(s.deps.store, (tx) => {
      outcome.change?.(tx);
      endCommand(tx, row.id, outcome.ending);
    });
  } finally {
    // What the runner was granted and is not stored by now will not be.
    if (row.sessionId !== null && !s.active.has(row.sessionId)) s.records.settle(row.sessionId);
  }
  if (row.sessionId !== null) s.bus.poke(row.sessionId);
}
