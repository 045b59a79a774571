/** Something that wants to run: a queued session, or a stopped one that is to be resumed. */
export interface Waiting {
  sessionId: string;
  /** What two runs must not share at once: the worktree, or the session while it has none. */
  place: string;
}

export interface ScheduleFacts {
  /** In the order they came. */
  waiting: readonly Waiting[];
  /** The places of the runs going on. */
  running: readonly string[];
  /** Runs at the same time. */
  concurrency: number;
}

/** Decides which of the waiting start now: in their order, one per place, never more than the device may run. */
export function planSchedule({ waiting, running, concurrency }: ScheduleFacts): string[] {
  const taken = new Set(running);
  let free = Math.max(0, concurrency - running.length);
  const chosen: string[] = [];
  for (const { sessionId, place } of waiting) {
    if (free === 0) break;
    if (taken.has(place)) continue;
    taken.add(place);
    free -= 1;
    chosen.push(sessionId);
  }
  return chosen;
}
