/** One lane per session: commands about the same session run one after the other, in the order they came. */
export interface Lanes {
  /** Runs `work` when everything before it in the lane has ended, however that ended. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
  busy(lane: string): boolean;
  /** Resolves when no lane has work. */
  idle(): Promise<void>;
}

/** Makes the lanes. `onFree` is called whenever a lane has become empty. */
export function createLanes(onFree: (lane: string) => void): Lanes {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(lane, work) {
      const before = tails.get(lane) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result
        .catch(() => {})
        .then(() => {
          if (tails.get(lane) !== tail) return;
          tails.delete(lane);
          onFree(lane);
        });
      tails.set(lane, tail);
      return result;
    },
    busy: (lane) => tails.has(lane),
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
