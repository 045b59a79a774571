/** A segment as it lies in the cloud. */
export interface CloudSegment {
  from: number;
  to: number;
  /** The key epoch that it is sealed under. */
  epoch: number;
  /** Of its lines, as they are here; null until they were counted. */
  bytes: number | null;
}

interface Entry {
  segments: CloudSegment[];
  /** The cloud was asked for all of them. Once is enough in one process. */
  asked: boolean;
  /** Something may be left to do. */
  open: boolean;
}

/** Of so many logs the segments are remembered, the newest last. */
const LOGS_KEPT = 500;

/**
 * What this process knows of the segments of its own logs in the cloud (S20): what it pushed, and what became of it.
 * Nothing depends on it: what is wrong here is a compaction that the cloud does not do.
 */
export class SegmentLedger {
  readonly #logs = new Map<string, Entry>();

  /** Logs of which segments may be put together. */
  open(): string[] {
    return [...this.#logs].flatMap(([streamId, { open }]) => (open ? [streamId] : []));
  }
  of(streamId: string): readonly CloudSegment[] {
    return this.#logs.get(streamId)?.segments ?? [];
  }
  wasAsked(streamId: string): boolean {
    return this.#logs.get(streamId)?.asked ?? false;
  }

  /** The cloud took these. What was known from their beginning on is gone: it had been put back. */
  pushed(streamId: string, segments: readonly CloudSegment[]): void {
    const [first] = segments;
    if (!first) return;
    const { segments: before = [], asked = false } = this.#logs.get(streamId) ?? {};
    this.#logs.delete(streamId);
    this.#logs.set(streamId, {
      segments: [...before.filter(({ to }) => to < first.from), ...segments],
      asked,
      open: true,
    });
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > LOGS_KEPT && oldest !== undefined) this.#logs.delete(oldest);
  }

  /** The cloud put these together. */
  compacted(streamId: string, { from, to }: { from: number; to: number }): void {
    const entry = this.#logs.get(streamId);
    const [first] = entry?.segments.filter((one) => one.from === from) ?? [];
    if (!entry || !first) return;
    const parts = entry.segments.filter((one) => one.from >= from && one.to <= to);
    const bytes = parts.reduce<number | null>(
      (sum, part) => (sum === null || part.bytes === null ? null : sum + part.bytes),
      0,
    );
    const rest = entry.segments.filter((one) => one.to < from || one.from > to);
    entry.segments = [...rest, { from, to, epoch: first.epoch, bytes }].sort((a, b) => a.from - b.from);
  }

  /** The cloud was asked, and has these; null: it did not say. */
  askedFor(streamId: string, segments: readonly CloudSegment[] | null): void {
    const entry = this.#logs.get(streamId);
    if (!entry) return;
    entry.asked = true;
    if (!segments) return;
    const known = new Map(entry.segments.map((one) => [`${one.from}-${one.to}`, one.bytes]));
    entry.segments = segments.map((one) => ({ ...one, bytes: known.get(`${one.from}-${one.to}`) ?? null }));
  }

  /** The lines of the segment that begins there were counted. */
  counted(streamId: string, from: number, bytes: number): void {
    const segment = this.#logs.get(streamId)?.segments.find((one) => one.from === from);
    if (segment) segment.bytes = bytes;
  }

  /** Nothing is left to do until more is pushed. */
  close(streamId: string): void {
    const entry = this.#logs.get(streamId);
    if (entry) entry.open = false;
  }

  /** What was known does not hold. It is not asked for again, so that nothing goes round. */
  forget(streamId: string): void {
    const entry = this.#logs.get(streamId);
    if (entry) Object.assign(entry, { segments: [], asked: true, open: false });
  }
}
