import type { EndReason } from "@codehands/contracts";

/** A session that an iterator of ours is working on. */
export interface ActiveSession {
  /** Set by a stop; the run ends with it whatever else happens. */
  stop: { reason: EndReason; by?: string } | null;
  /** Ends the processes of the run; null while there are none. */
  kill: ((graceMs: number) => Promise<void>) | null;
  /** Resolves when a process exists or never will. */
  prepared: Promise<void>;
  markPrepared: () => void;
}

/** The sessions in work, so that a stop finds them and no session is worked on twice. */
export class ActiveSessions {
  readonly #sessions = new Map<string, ActiveSession>();

  get(sessionId: string): ActiveSession | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Opens the session, or returns null when it is in work already. */
  open(sessionId: string): ActiveSession | null {
    if (this.#sessions.has(sessionId)) return null;
    let markPrepared = () => {};
    const prepared = new Promise<void>((resolve) => {
      markPrepared = resolve;
    });
    const session: ActiveSession = { stop: null, kill: null, prepared, markPrepared };
    this.#sessions.set(sessionId, session);
    return session;
  }

  close(sessionId: string): void {
    this.#sessions.get(sessionId)?.markPrepared();
    this.#sessions.delete(sessionId);
  }
}
