import { type WatchFrame, type WatchInput, watchFrame } from "../schemas/session.ts";

/** The seq that a watcher has already seen: what it asked for, or further when its connection was cut. */
export function resumeAfter(input: WatchInput): number {
  return Math.max(input.afterSeq, Number(input.lastEventId ?? 0));
}

/**
 * Numbers frames for resuming: every id is the seq of the newest event sent. An event that was sent already is left
 * out; a missing one is a fault, and the watcher comes back for it.
 */
export async function* watchFrames(
  frames: AsyncIterable<WatchFrame>,
  afterSeq: number,
): AsyncGenerator<{ id: string; frame: WatchFrame }> {
  let seen = afterSeq;
  for await (const given of frames) {
    const frame = watchFrame.parse(given);
    if (frame.kind === "event") {
      if (frame.event.seq <= seen) continue;
      if (frame.event.seq !== seen + 1) throw new Error(`event ${seen + 1} is missing before ${frame.event.seq}`);
      seen = frame.event.seq;
    }
    yield { id: String(seen), frame };
  }
}
