/** When commits happen. Times in ms. */
export interface Pace {
  /** The least time between two commits; the first event after a quiet moment waits for none. */
  groupMs: number;
  /** So many waiting events are committed without further waiting. */
  groupRows: number;
  /** After this time an event without a position is taken to have none: it did not come from a line of output. */
  looseMs: number;
  /** Until a commit is tried again on a full disk. */
  retryMs: number;
  /** A clock that never jumps. */
  elapsed: () => number;
}

const PACE: Pace = { groupMs: 20, groupRows: 500, looseMs: 5_000, retryMs: 1_000, elapsed: () => performance.now() };

export interface CommitPace {
  /** Commits now or, shortly after the last commit, in a group. */
  soon(rows: number): void;
  /** A commit has ended; those who wait for room may go on. */
  settled(): void;
  /** The disk is full: tries again later, and nobody has room until then. */
  retry(): void;
  /** Runs `act` for `who` unless it is cancelled before. */
  later(who: object, act: () => void): void;
  cancel(who: object): void;
  /** Resolves when events may be taken. */
  room(): Promise<void>;
  stop(): void;
}

/** The timers of the event inbox: leading edge, then groups; a lone event is never delayed by a timer. */
export function createCommitPace(commit: () => void, given: Partial<Pace> = {}): CommitPace {
  const pace = { ...PACE, ...given };
  const loose = new Map<object, NodeJS.Timeout>();
  let last = Number.NEGATIVE_INFINITY;
  let group: NodeJS.Timeout | null = null;
  let blocked: NodeJS.Timeout | null = null;
  let waiting: (() => void)[] = [];

  const run = () => {
    if (group !== null) clearTimeout(group);
    group = null;
    commit();
  };
  const release = () => {
    const released = waiting;
    waiting = [];
    for (const go of released) go();
  };
  return {
    soon(rows) {
      if (blocked !== null) return;
      const wait = last + pace.groupMs - pace.elapsed();
      if (wait <= 0 || rows >= pace.groupRows) run();
      else group ??= setTimeout(run, wait);
    },
    settled() {
      last = pace.elapsed();
      if (blocked === null) release();
    },
    retry() {
      blocked ??= setTimeout(() => {
        blocked = null;
        run();
      }, pace.retryMs);
    },
    later(who, act) {
      if (!loose.has(who)) {
        const timer = setTimeout(() => {
          loose.delete(who);
          act();
        }, pace.looseMs);
        loose.set(who, timer);
      }
    },
    cancel(who) {
      clearTimeout(loose.get(who));
      loose.delete(who);
    },
    room: () => (blocked === null ? Promise.resolve() : new Promise((go) => waiting.push(go))),
    stop() {
      for (const timer of [group, blocked, ...loose.values()]) if (timer !== null) clearTimeout(timer);
      loose.clear();
      blocked = null;
      release();
    },
  };
}
