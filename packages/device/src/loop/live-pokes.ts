import { type DeviceCalls, isUnauthorized } from "../keys/device-calls.ts";
import { sleep } from "./sleep.ts";

const FIRST_MS = 1_000;
const MOST_MS = 60_000;

export interface PokeListener {
  /** The cloud's head as it is now; also right after each new connection. */
  onHead: (head: number) => void;
  /** The stream was refused: a question of its own finds out why. */
  onRefused: () => void;
}

/**
 * Listens for the cloud's word that there is something to pull, until the signal aborts. A cut stream comes back by
 * itself, one that was refused or has ended is opened anew after a while. What is missed meanwhile is harmless.
 */
export async function followPokes(calls: DeviceCalls, listener: PokeListener, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const ended = await listenOnce(
      calls,
      {
        ...listener,
        onHead: (head) => {
          failures = 0;
          listener.onHead(head);
        },
      },
      signal,
    );
    if (signal.aborted) return;
    if (ended === "unauthorized") {
      calls.tokens.drop();
      listener.onRefused();
    }
    failures += 1;
    const cap = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
    await sleep(cap / 2 + (cap / 2) * Math.random(), signal);
  }
}

function listenOnce(
  { streams }: DeviceCalls,
  { onHead }: PokeListener,
  signal: AbortSignal,
): Promise<"ended" | "unauthorized"> {
  return new Promise((done) => {
    const end = (how: "ended" | "unauthorized"): void => {
      signal.removeEventListener("abort", stop);
      stream.unsubscribe();
      done(how);
    };
    const stop = (): void => end("ended");
    const stream = streams.live.watch.subscribe(
      {},
      {
        onData({ data }) {
          if (data.kind === "head") onHead(data.head);
          else queueMicrotask(stop);
        },
        onError: (error) => queueMicrotask(() => end(isUnauthorized(error) ? "unauthorized" : "ended")),
        onComplete: () => queueMicrotask(stop),
      },
    );
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
