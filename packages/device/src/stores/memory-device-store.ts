import {
  type AcceptCommand,
  type ChainedEvent,
  type Decision,
  type HeldLog,
  type HeldRecord,
  MemoryStore,
  type Need,
  newStoreData,
  type StoreData,
  type View,
} from "@codehands/sync";
import { type DeviceStore, type EventRange, isRefused, type Touched } from "../ports/device-store.ts";
import { CommitListeners } from "./commit-listeners.ts";
import { touchedBy } from "./touched-by.ts";

/** A device's database in memory: for tests, and for a program that begins anew each time. */
export class MemoryDeviceStore implements DeviceStore {
  readonly data: StoreData;
  readonly #store: MemoryStore;
  readonly #deviceId: string;
  readonly #listeners = new CommitListeners();

  constructor(deviceId: string, options: { data?: StoreData; accept?: AcceptCommand } = {}) {
    this.#deviceId = deviceId;
    this.data = options.data ?? newStoreData(deviceId);
    this.#store = new MemoryStore(this.data, options.accept);
  }

  read(need: Need): Promise<View> {
    return this.#store.read(need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    let touched: Touched = { records: [], logs: [] };
    const result = await this.#store.apply(need, (view) => {
      const decision = decide(view);
      touched = touchedBy(decision.changes);
      return decision;
    });
    this.#listeners.tell(touched);
    return result;
  }

  async recordsOf(kind: number): Promise<HeldRecord[]> {
    return [...this.data.records.values()].filter((record) => record.kind === kind);
  }

  async allRecords(): Promise<HeldRecord[]> {
    return [...this.data.records.values()];
  }

  async refusedRecords(): Promise<HeldRecord[]> {
    return [...this.data.records.values()].filter(isRefused);
  }

  async logOf(streamId: string): Promise<HeldLog | null> {
    return this.data.logs.get(streamId) ?? null;
  }

  async eventsOf(range: EventRange): Promise<ChainedEvent[]> {
    const events = this.data.events.get(range.streamId) ?? [];
    return "after" in range
      ? events.slice(range.after, range.after + range.limit)
      : events.slice(Math.max(0, events.length - range.limit));
  }

  /** Forgets everything: the account was signed out, and this device made nothing of its own. */
  wipe(): void {
    Object.assign(this.data, newStoreData(this.#deviceId));
  }

  onCommit(listener: (touched: Touched) => void): () => void {
    return this.#listeners.add(listener);
  }
}
