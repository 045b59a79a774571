import type { LocalClient } from "@codehands/api/client";
import type { WatchFrame } from "../wire-types.ts";

/** The frames of `sessions.watch` as an async iterable. It ends when the signal aborts or the stream does, and unsubscribes. */
export async function* watchFrames(
  client: LocalClient,
  query: { sessionId: string; afterSeq: number },
  signal?: AbortSignal,
): AsyncGenerator<WatchFrame> {
  const arrived: WatchFrame[] = [];
  let ended = false;
  let failure: unknown = null;
  let wake = (): void => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  const subscription = client.sessions.watch.subscribe(query, {
    onData(tracked) {
      arrived.push(tracked.data);
      wake();
    },
    onError(error) {
      failure = error;
      end();
    },
    onComplete: end,
    onStopped: end,
  });
  signal?.addEventListener("abort", end);
  try {
    for (;;) {
      for (const frame of arrived.splice(0)) {
        if (signal?.aborted) return;
        yield frame;
      }
      if (signal?.aborted) return;
      if (arrived.length > 0) continue;
      if (failure !== null) throw failure;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal?.removeEventListener("abort", end);
    subscription.unsubscribe();
  }
}
