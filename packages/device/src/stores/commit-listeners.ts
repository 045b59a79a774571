import type { Touched } from "../ports/device-store.ts";

/** Who is told of commits. A listener that throws is told to `onFault` and hinders no other. */
export class CommitListeners {
  readonly #listeners = new Set<{ tell: (touched: Touched) => void }>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void = reportError) {
    this.#onFault = onFault;
  }

  add(tell: (touched: Touched) => void): () => void {
    // Its own object, so that one function may listen twice.
    const entry = { tell };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Tells of a commit, unless it touched neither records nor logs. */
  tell(touched: Touched): void {
    if (touched.records.length + touched.logs.length === 0) return;
    for (const { tell } of this.#listeners)
      try {
        tell(touched);
      } catch (error) {
        this.#onFault(error);
      }
  }
}

/** As a browser does with an error that nobody caught. */
function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
