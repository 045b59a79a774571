import type { DeviceStore, Touched } from "../ports/device-store.ts";

export interface Wait<T> {
  store: DeviceStore;
  /** Whether a commit may have brought what is waited for. */
  concerns: (touched: Touched) => boolean;
  /** What is waited for; null: not yet. */
  look: () => Promise<T | null>;
  ms: number;
  signal?: AbortSignal;
}

/** Looks at once and after each commit that concerns it, until something is there; null when the time is over. */
export async function waitForCommit<T>({ store, concerns, look, ms, signal }: Wait<T>): Promise<T | null> {
  let news = false;
  let wake = (): void => {};
  const nudge = (): void => {
    news = true;
    wake();
  };
  let over = signal?.aborted ?? false;
  const end = (): void => {
    over = true;
    nudge();
  };
  const leave = store.onCommit((touched) => concerns(touched) && nudge());
  const timer = setTimeout(end, ms);
  signal?.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      news = false;
      const found = await look();
      if (found !== null || over) return found;
      // A commit may have come while it looked.
      if (!news)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    leave();
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
