import type { SessionView, WatchFrame, WatchQuery } from "@codehands/api";
import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { eventOf } from "./event-line.ts";
import { openLog } from "./follow-log.ts";
import type { RemoteSessions } from "./remote-sessions.ts";

const PAGE = 200;
/** A session that has changed waits this long for the events that led to it. */
const HOLD_MS = 3_000;
/** What does not arrive is no news: it is looked for. */
const LOOK_MS = 31_000;

export interface Watching {
  deps: ReplicaDeps;
  sessions: RemoteSessions;
}

/**
 * First the session, then the stored events after `afterSeq` in order and each new one, and the session whenever its
 * record changed, behind the events that led to it where they come in time. It reads the store page by page as fast as
 * its reader takes them. Ends when `signal` aborts, and at once for an unknown session.
 */
export async function* watchRemote(
  { deps, sessions }: Watching,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<WatchFrame, void> {
  const streamId = query.sessionId.toLowerCase();
  const session = await sessions.find(streamId);
  if (session === null) return;
  const key = recordKey({ kind: RECORD_KINDS.session, id: streamId });
  const news = new Nudge(signal);
  const leave = deps.store.onCommit(({ records, logs }) => {
    if (records.includes(key) || logs.includes(streamId)) news.come();
  });
  try {
    if (await openLog(deps.store, { streamId, kind: LOG_KINDS.session, writer: session.writer })) deps.changed();
    let shown: string | null = null;
    let afterSeq = query.afterSeq;
    let heldUntil: number | null = null;
    while (!signal.aborted) {
      news.take();
      const view = await sessions.get(streamId);
      const told = view === null ? null : fingerprint(view);
      if (shown === null && view !== null) {
        yield { kind: "session", session: view };
        shown = told;
      }
      for (let more = true; more && !signal.aborted; ) {
        const page = await deps.store.eventsOf({ streamId, after: afterSeq, limit: PAGE });
        for (const event of page) {
          yield { kind: "event", event: eventOf(streamId, event) };
          afterSeq = event.seq;
        }
        more = page.length === PAGE;
      }
      if (signal.aborted) return;
      if (view !== null && told !== shown) {
        const now = performance.now();
        heldUntil ??= now + HOLD_MS;
        if (afterSeq >= view.lastSeq || now >= heldUntil) {
          yield { kind: "session", session: view };
          shown = told;
          heldUntil = null;
        }
      }
      await news.wait(heldUntil === null ? LOOK_MS : HOLD_MS);
    }
  } finally {
    leave();
    news.end();
  }
}

/** What of a session is worth telling again; how many of its events are here is not. */
const fingerprint = ({ remote, ...view }: SessionView): string => JSON.stringify([view, remote?.warning ?? null]);

/** Whether something came since it was last taken. */
class Nudge {
  #came = false;
  #wake = (): void => {};
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.come();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort);
  }

  come(): void {
    this.#came = true;
    this.#wake();
  }

  take(): void {
    this.#came = false;
  }

  /** Resolves when something came since `take`, or after so many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (this.#came || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  end(): void {
    this.#signal.removeEventListener("abort", this.#abort);
  }
}
