import type { EventPayloads, RunnerEvent, RunnerEventType } from "@codehands/contracts";

/** Hands out one session's events with the next seq: 1, 2, 3 … without a gap. */
export class EventSequence {
  readonly #sessionId: string;
  readonly #clock: () => string;
  #seq: number;

  /** Numbering goes on after `afterSeq`; `clock` gives the ISO time of each event. */
  constructor(sessionId: string, options: { afterSeq?: number; clock?: () => string } = {}) {
    const { afterSeq = 0, clock = () => new Date().toISOString() } = options;
    if (!Number.isSafeInteger(afterSeq) || afterSeq < 0) {
      throw new RangeError(`afterSeq must be a whole number from 0 on, not ${afterSeq}`);
    }
    this.#sessionId = sessionId;
    this.#seq = afterSeq;
    this.#clock = clock;
  }

  /** The seq handed out last; `afterSeq` before the first. */
  get lastSeq(): number {
    return this.#seq;
  }

  /** The next event. `raw` is left out of it when there is none. */
  next<T extends RunnerEventType>(type: T, payload: EventPayloads[T], raw?: unknown): RunnerEvent {
    this.#seq += 1;
    const event = { sessionId: this.#sessionId, seq: this.#seq, type, at: this.#clock(), payload: { ...payload } };
    return raw === undefined ? event : { ...event, raw };
  }
}
