/** Tells watchers that something of a session was committed. It carries no data: a watcher reads the database. */
export interface SessionBus {
  poke(sessionId: string): void;
  /** Calls `listener` after each commit that touches the session (null: any session) until the returned function is called. */
  subscribe(sessionId: string | null, listener: (sessionId: string) => void): () => void;
  /** How many listeners there are. */
  size(): number;
}

/**
 * An in-process bus that cannot grow: a slow reader holds one flag, never a queue. A listener that throws is
 * told to `onFault` and hinders no other.
 */
export function createSessionBus(onFault: (error: unknown) => void): SessionBus {
  const everyone = new Set<(sessionId: string) => void>();
  const bySession = new Map<string, Set<(sessionId: string) => void>>();
  const call = (listener: (sessionId: string) => void, sessionId: string) => {
    try {
      listener(sessionId);
    } catch (error) {
      onFault(error);
    }
  };
  return {
    poke(sessionId) {
      for (const listener of [...(bySession.get(sessionId) ?? []), ...everyone]) call(listener, sessionId);
    },
    subscribe(sessionId, listener) {
      const set = sessionId === null ? everyone : (bySession.get(sessionId) ?? new Set());
      if (sessionId !== null) bySession.set(sessionId, set);
      const entry = (id: string) => listener(id);
      set.add(entry);
      return () => {
        set.delete(entry);
        if (sessionId !== null && set.size === 0 && bySession.get(sessionId) === set) bySession.delete(sessionId);
      };
    },
    size: () => everyone.size + [...bySession.values()].reduce((sum, set) => sum + set.size, 0),
  };
}
