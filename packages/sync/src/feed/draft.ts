import type { HeldLog } from "../ports/held-log.ts";
import { type HeldRecord, type RecordKey, recordKey } from "../ports/held-record.ts";
import type { Change, LogView, View } from "../ports/store.ts";
import { EMPTY_SUM, type SyncState } from "../ports/sync-state.ts";
import { logDigest, recordDigest, xorSums } from "./row-digest.ts";

/** Collects the writes of one decision and keeps the sum and the newest version seen in step with them. */
export class Draft {
  /** What the decision stands on, without its own writes. */
  readonly view: View;
  readonly state: SyncState;
  readonly #records: Map<string, HeldRecord>;
  readonly #logs: Map<string, HeldLog>;
  readonly #changes: Change[] = [];

  constructor(view: View) {
    this.view = view;
    this.state = structuredClone(view.state);
    this.#records = new Map(view.records);
    this.#logs = new Map([...view.logs].map(([id, log]) => [id, heldOf(log)]));
  }

  record(key: RecordKey): HeldRecord | null {
    return this.#records.get(recordKey(key)) ?? null;
  }
  /** The records that were loaded, as they are now. */
  records(): HeldRecord[] {
    return [...this.#records.values()];
  }
  log(streamId: string): HeldLog | null {
    return this.#logs.get(streamId) ?? null;
  }
  logs(): HeldLog[] {
    return [...this.#logs.values()];
  }

  /** Puts a record in place of what is held under its key; null drops it. */
  putRecord(key: RecordKey, record: HeldRecord | null): void {
    const held = this.record(key);
    if (held === record) return;
    this.#count(recordDigest(held?.base ?? null), recordDigest(record?.base ?? null));
    if (!record) {
      this.#records.delete(recordKey(key));
      this.#changes.push({ op: "forget-record", key: { kind: key.kind, id: key.id } });
      return;
    }
    this.#seen(record.base?.version);
    this.#records.set(recordKey(key), record);
    this.#changes.push({ op: "record", record });
  }

  putLog(log: HeldLog): void {
    this.#count(logDigest(this.log(log.streamId)?.row ?? null), logDigest(log.row));
    this.#seen(log.row?.version);
    this.#logs.set(log.streamId, log);
    this.#changes.push({ op: "log", log });
  }

  write(change: Exclude<Change, { op: "state" | "record" | "forget-record" | "log" | "forget-rows" }>): void {
    this.#changes.push(change);
  }

  /** S10: base, rows, sum and newest version are forgotten, here and in the store. */
  forgetRows(): void {
    this.#changes.push({ op: "forget-rows", writer: this.state.deviceId });
    this.state.sum = EMPTY_SUM;
    this.state.top = 0;
    for (const [key, record] of this.#records) this.#records.set(key, { ...record, base: null });
    for (const [id, log] of this.#logs) this.#logs.set(id, withoutRow(log, this.state.deviceId));
  }

  changes(): Change[] {
    return [...this.#changes, { op: "state", state: this.state }];
  }

  #count(before: string, after: string): void {
    if (before !== after) this.state.sum = xorSums(xorSums(this.state.sum, before), after);
  }
  #seen(version: number | undefined): void {
    this.state.top = Math.max(this.state.top, version ?? 0);
  }
}

/** A log as it is stored. */
export function heldOf(view: LogView): HeldLog {
  const { atRow: _, ...log } = view;
  return log;
}

/** What a reset leaves of a log: what `writer` pushed is to be pushed again. */
export function withoutRow(log: HeldLog, writer: string): HeldLog {
  return { ...log, row: null, blocked: null, pushedSeq: log.writer === writer ? 0 : log.pushedSeq };
}
