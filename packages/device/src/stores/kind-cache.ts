import type { HeldRecord, RecordKey } from "@codehands/sync";

/** How records are read from where they lie. */
export interface RecordReads {
  ofKind(kind: number): Promise<HeldRecord[]>;
  /** Those of the keys that are there. */
  byKey(keys: readonly RecordKey[]): Promise<HeldRecord[]>;
}

interface Kept {
  records: Promise<Map<string, HeldRecord>>;
  /** Ids of records that were written since. */
  stale: Set<string>;
}

/**
 * The records of the kinds that were asked for, in memory: a list of a thousand sessions is shown at every change of one
 * of them. It is told of every commit.
 */
export class KindCache {
  readonly #reads: RecordReads;
  readonly #kept = new Map<number, Kept>();

  constructor(reads: RecordReads) {
    this.#reads = reads;
  }

  async recordsOf(kind: number): Promise<HeldRecord[]> {
    const kept = this.#kept.get(kind) ?? { records: this.#load(kind), stale: new Set<string>() };
    this.#kept.set(kind, kept);
    if (kept.stale.size > 0) {
      const ids = [...kept.stale];
      kept.stale.clear();
      kept.records = this.#renew(kept.records, kind, ids);
    }
    try {
      return [...(await kept.records).values()];
    } catch (error) {
      this.#kept.delete(kind);
      throw error;
    }
  }

  /** Records were written, as `recordKey` names them. */
  touch(names: readonly string[]): void {
    if (this.#kept.size === 0) return;
    for (const name of names) {
      const at = name.indexOf(":");
      this.#kept.get(Number(name.slice(0, at)))?.stale.add(name.slice(at + 1));
    }
  }

  /** Something was written that names no record. */
  forget(): void {
    this.#kept.clear();
  }

  async #load(kind: number): Promise<Map<string, HeldRecord>> {
    return new Map((await this.#reads.ofKind(kind)).map((record) => [record.id, record]));
  }

  async #renew(
    before: Promise<Map<string, HeldRecord>>,
    kind: number,
    ids: readonly string[],
  ): Promise<Map<string, HeldRecord>> {
    const records = await before;
    const fresh = await this.#reads.byKey(ids.map((id) => ({ kind, id })));
    for (const id of ids) records.delete(id);
    for (const record of fresh) records.set(record.id, record);
    return records;
  }
}
