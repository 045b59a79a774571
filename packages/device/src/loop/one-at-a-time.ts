/**
 * Runs a piece of work at once; asked again while it runs, it runs once more afterwards, however often it was asked. The
 * promise ends when a run has ended that began after the call.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    const mine = work().finally(() => {
      if (running === mine) running = null;
    });
    running = mine;
    return mine;
  };
  return () => {
    if (!running && !next) return run();
    next ??= (running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}
