import {
  type AgentKind,
  canTransition,
  type Run,
  type SessionRecord,
  type SessionRecords,
  type SessionStatus,
} from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson, toJson } from "../database/read-json.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { putRun, runsOf } from "../runs/run-rows.ts";
import type { EventInbox } from "../sessions/event-inbox.ts";
import {
  changeSession,
  moveSession,
  readSession,
  type SessionChange,
  type SessionRow,
} from "../sessions/session-rows.ts";

/** Records for a runner, and what the supervisor does with them. */
export interface DaemonRecords extends SessionRecords {
  /** Forgets moves that were checked but never stored. Called when the runner's work on a session has ended. */
  settle(sessionId: string): void;
}

export interface RecordsOptions {
  store: OpenDatabase;
  inbox: Pick<EventInbox, "statusOf">;
  /** Called in the transaction that stores a run as live. */
  onLive: (tx: Tx, run: Run) => void;
  /** Called after something of a session was stored. */
  onStored: (sessionId: string) => void;
}

/**
 * What a runner remembers, over the database. The daemon has stored the session before the runner hears of it, so
 * `create` completes that row. A run that is live makes its session running in the same transaction; every other
 * status moves with its event or outcome, so `move` only checks and remembers what the runner has been granted.
 */
export function createSessionRecords({ store, inbox, onLive, onStored }: RecordsOptions): DaemonRecords {
  const granted = new Map<string, SessionStatus>();
  const statusOf = (sessionId: string) => granted.get(sessionId) ?? inbox.statusOf(sessionId);
  const change = (sessionId: string, wanted: Partial<SessionRecord>) => {
    inTransaction(store, (tx) => changeSession(tx, sessionId, toChange(wanted)));
    onStored(sessionId);
  };
  const known = (sessionId: string): SessionStatus => {
    const status = statusOf(sessionId);
    if (status === undefined) throw new DaemonError("not_found", `There is no session ${sessionId}.`);
    return status;
  };
  return {
    get(sessionId) {
      const row = readSession(store, sessionId);
      return row === undefined ? undefined : toRecord(row);
    },
    status: statusOf,
    create(record) {
      const status = known(record.sessionId);
      if (status !== "queued") {
        throw new DaemonError("illegal_move", `Session ${record.sessionId} is ${status} and cannot be made again.`);
      }
      change(record.sessionId, record);
    },
    update: change,
    move(sessionId, to) {
      const from = known(sessionId);
      if (from !== to && !canTransition(from, to)) {
        throw new DaemonError("illegal_move", `Session ${sessionId} is ${from} and cannot become ${to}.`);
      }
      granted.set(sessionId, to);
    },
    runs: (sessionId) => runsOf(store, sessionId),
    putRun(run) {
      inTransaction(store, (tx) => {
        putRun(tx, run);
        if (run.state !== "live") return;
        const session = readSession(store, run.sessionId);
        if (session?.status === "queued" || session?.status === "stopped") {
          const startedAt = session.startedAt ?? run.startedAt;
          moveSession(tx, run.sessionId, { to: "running", change: { startedAt, reason: null, finishedAt: null } });
        }
        onLive(tx, run);
      });
      if (run.state === "live") onStored(run.sessionId);
    },
    settle: (sessionId) => {
      granted.delete(sessionId);
    },
  };
}

const PLAIN = [
  "repoPath",
  "repoKey",
  "prompt",
  "title",
  "agent",
  "model",
  "budgetUsd",
  "costUsd",
  "agentSessionId",
  "branch",
  "baseRef",
  "baseCommit",
  "worktree",
  "commonDir",
  "privateGitDir",
  "snapshotRef",
  "treeId",
  "approvedTreeId",
  "commit",
] as const satisfies readonly (keyof SessionRecord & keyof SessionChange)[];

function toChange(wanted: Partial<SessionRecord>): SessionChange {
  const change: SessionChange = {};
  for (const key of PLAIN) if (wanted[key] !== undefined) Object.assign(change, { [key]: wanted[key] });
  if (wanted.phases !== undefined) change.phases = toJson(wanted.phases);
  if (wanted.testCommands !== undefined) change.testCommands = toJson(wanted.testCommands);
  return change;
}

function toRecord(row: SessionRow): SessionRecord {
  const phases = readJson(row.phases);
  const tests = readJson(row.testCommands);
  const plain = Object.fromEntries(PLAIN.map((key) => [key, row[key]])) as Pick<SessionRecord, (typeof PLAIN)[number]>;
  return {
    ...plain,
    sessionId: row.id,
    agent: row.agent as AgentKind,
    phases: phases.ok && isRecord(phases.value) ? phases.value : null,
    ...(tests.ok && Array.isArray(tests.value)
      ? { testCommands: tests.value.filter((word): word is string => typeof word === "string") }
      : {}),
    lastSeq: row.lastSeq,
  };
}
