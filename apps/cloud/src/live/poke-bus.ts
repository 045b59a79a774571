/** Tells that an account's feed went on. It carries no content; a lost poke is harmless, since devices pull by themselves. */
export interface Poke {
  head: number;
}

/** Carries pokes from whoever committed to whoever listens, within one server or between several. */
export interface PokeBus {
  /** Returns at once. Listeners are called after it. */
  poke(accountId: string, poke: Poke): void;
  /** Ends the streams of one device, because it was cut off. */
  cut(accountId: string, deviceId: string): void;
  /** Returns what ends listening. */
  listen(accountId: string, listener: PokeListener): () => void;
}

export interface PokeListener {
  onPoke(poke: Poke): void;
  onCut(deviceId: string): void;
}

/** Pokes within this process. `listeners` counts those that are there. */
export interface MemoryPokeBus extends PokeBus {
  listeners(): number;
}

/** A bus for one server. */
export function createMemoryPokeBus(): MemoryPokeBus {
  const accounts = new Map<string, Set<PokeListener>>();
  const tell = (accountId: string, call: (listener: PokeListener) => void): void => {
    const listeners = [...(accounts.get(accountId) ?? [])];
    if (listeners.length > 0) queueMicrotask(() => listeners.forEach(call));
  };
  return {
    poke: (accountId, poke) => tell(accountId, (listener) => listener.onPoke(poke)),
    cut: (accountId, deviceId) => tell(accountId, (listener) => listener.onCut(deviceId)),
    listen(accountId, listener) {
      const listeners = accounts.get(accountId) ?? new Set();
      listeners.add(listener);
      accounts.set(accountId, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && accounts.get(accountId) === listeners) accounts.delete(accountId);
      };
    },
    listeners: () => [...accounts.values()].reduce((sum, listeners) => sum + listeners.size, 0),
  };
}
