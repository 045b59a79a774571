import {
  canTransition,
  type Run,
  type SessionRecord,
  type SessionRecords,
  type SessionStatus,
} from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";

/** Session records in memory, with the check of legal moves. A runner that restarts forgets them. */
export class SessionStore implements SessionRecords {
  readonly #sessions = new Map<string, { record: SessionRecord; status: SessionStatus }>();
  readonly #runs = new Map<string, Run[]>();

  get(sessionId: string): SessionRecord | undefined {
    return this.#sessions.get(sessionId)?.record;
  }

  status(sessionId: string): SessionStatus | undefined {
    return this.#sessions.get(sessionId)?.status;
  }

  create(record: SessionRecord): void {
    if (this.#sessions.has(record.sessionId)) {
      throw new RunnerError("already_running", `Session ${record.sessionId} exists already. Nothing was started.`);
    }
    this.#sessions.set(record.sessionId, { record: { ...record }, status: "queued" });
  }

  update(sessionId: string, change: Partial<Omit<SessionRecord, "sessionId">>): void {
    const held = this.#held(sessionId);
    held.record = { ...held.record, ...change };
  }

  move(sessionId: string, to: SessionStatus): void {
    const held = this.#held(sessionId);
    if (held.status === to) return;
    if (!canTransition(held.status, to)) {
      throw new RunnerError("illegal_move", `Session ${sessionId} is ${held.status} and cannot become ${to}.`);
    }
    held.status = to;
  }

  runs(sessionId: string): Run[] {
    return [...(this.#runs.get(sessionId) ?? [])];
  }

  putRun(run: Run): void {
    const others = this.runs(run.sessionId).filter((other) => other.id !== run.id);
    this.#runs.set(run.sessionId, [...others, { ...run }]);
  }

  #held(sessionId: string) {
    const held = this.#sessions.get(sessionId);
    if (held === undefined) throw new RunnerError("not_found", `There is no session ${sessionId}.`);
    return held;
  }
}
