import { type FSWatcher, watch } from "node:fs";

const SAFETY_MS = 1_000;
const POLL_MS = 100;

/** Why the reader was woken: something was written, it is time to look whether the run is over, or reading was given up. */
export type Wake = "output" | "check" | "aborted";

/**
 * Wakes the reader of a run's output when a file of the run's folder changes, and at least once a second. Where the
 * system gives no notices (no watches left, network file system) it wakes ten times a second.
 */
export class OutputWaker {
  readonly #signal: AbortSignal | undefined;
  #watcher: FSWatcher | null = null;
  #pending: Wake | null = null;
  #resolve: ((wake: Wake) => void) | null = null;

  constructor(runDir: string, signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort);
    try {
      this.#watcher = watch(runDir, (_, name) => {
        if (name === "exit") this.#wake("check");
        else if (name === null || name === "out.ndjson") this.#wake("output");
      });
      this.#watcher.on("error", () => {
        this.#watcher?.close();
        this.#watcher = null;
        this.#wake("check");
      });
    } catch {
      this.#watcher = null;
    }
  }

  /** Resolves with the first wake after the one before; a notice that came meanwhile counts at once. */
  async next(): Promise<Wake> {
    if (this.#signal?.aborted) return "aborted";
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) return pending;
    let timer: NodeJS.Timeout | undefined;
    const wake = await new Promise<Wake>((resolve) => {
      this.#resolve = resolve;
      timer = setTimeout(() => this.#wake("check"), this.#watcher === null ? POLL_MS : SAFETY_MS);
    });
    clearTimeout(timer);
    return wake;
  }

  close(): void {
    this.#watcher?.close();
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#wake("aborted");

  #wake(wake: Wake): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    if (resolve !== null) resolve(wake);
    else if (this.#pending !== "check") this.#pending = wake;
  }
}
