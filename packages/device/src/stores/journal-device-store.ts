import {
  type AcceptCommand,
  type ChainedEvent,
  type Decision,
  type HeldLog,
  type HeldRecord,
  type Need,
  newStoreData,
  type StoreData,
  type View,
} from "@codehands/sync";
import type { DeviceStore, EventRange, Touched } from "../ports/device-store.ts";
import { dataOf, Journal, type JournalLine, snapshotOf } from "./journal.ts";
import { MemoryDeviceStore } from "./memory-device-store.ts";

/** A journal that has grown by this much is written anew. */
const COMPACT_AT = 16 * 1024 * 1024;

/**
 * A program's database: in memory, with every transaction on the disk before it shows. Made for some thousand sessions
 * of which few are followed; one process uses it at a time.
 */
export class JournalDeviceStore implements DeviceStore {
  readonly #memory: MemoryDeviceStore;
  readonly #journal: Journal;
  readonly #accept: AcceptCommand;
  readonly #outcomes: Map<string, string | null>;
  #turn: Promise<unknown> = Promise.resolve();

  /** Opens the store of a file, or makes it for this device. Throws `broken_store`. */
  static async open(o: { path: string; deviceId: string; accept?: AcceptCommand }): Promise<JournalDeviceStore> {
    const { journal, lines } = await Journal.open(o.path);
    const outcomes = new Map<string, string | null>();
    const memory = new MemoryDeviceStore(o.deviceId, {
      data: startOf(lines, o.deviceId),
      accept: ({ id }) => outcomes.get(id) ?? null,
    });
    const store = new JournalDeviceStore({ memory, journal, outcomes, accept: o.accept ?? (() => null) });
    for (const line of lines) if ("changes" in line) await store.#take(line);
    if (lines.length > 1) await journal.replace({ snapshot: snapshotOf(memory.data) });
    return store;
  }

  private constructor(o: {
    memory: MemoryDeviceStore;
    journal: Journal;
    outcomes: Map<string, string | null>;
    accept: AcceptCommand;
  }) {
    this.#memory = o.memory;
    this.#journal = o.journal;
    this.#outcomes = o.outcomes;
    this.#accept = o.accept;
  }

  read(need: Need): Promise<View> {
    return this.#memory.read(need);
  }

  apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    return this.#inTurn(async () => {
      const { changes, result } = decide(await this.#memory.read(need));
      if (changes.length === 0) return result;
      const accepted = changes.flatMap((change) =>
        change.op === "accept" ? [{ id: change.command.id, outcome: this.#accept(change.command) }] : [],
      );
      const line = { changes, accepted };
      await this.#journal.append(line);
      await this.#take(line);
      if (this.#journal.grown > COMPACT_AT) await this.#journal.replace({ snapshot: snapshotOf(this.#memory.data) });
      return result;
    });
  }

  recordsOf(kind: number): Promise<HeldRecord[]> {
    return this.#memory.recordsOf(kind);
  }
  allRecords(): Promise<HeldRecord[]> {
    return this.#memory.allRecords();
  }
  refusedRecords(): Promise<HeldRecord[]> {
    return this.#memory.refusedRecords();
  }
  logOf(streamId: string): Promise<HeldLog | null> {
    return this.#memory.logOf(streamId);
  }
  eventsOf(range: EventRange): Promise<ChainedEvent[]> {
    return this.#memory.eventsOf(range);
  }
  onCommit(listener: (touched: Touched) => void): () => void {
    return this.#memory.onCommit(listener);
  }

  /** Forgets everything: the account was signed out, and a program makes nothing of its own. */
  wipe(): Promise<void> {
    return this.#inTurn(async () => {
      this.#memory.wipe();
      await this.#journal.replace({ snapshot: snapshotOf(this.#memory.data) });
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#journal.close());
  }

  /** Carries out in memory what is on the disk. */
  async #take({ changes, accepted }: Extract<JournalLine, { changes: unknown }>): Promise<void> {
    for (const { id, outcome } of accepted) this.#outcomes.set(id, outcome);
    await this.#memory.apply({}, () => ({ changes, result: undefined }));
    this.#outcomes.clear();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}

function startOf([first]: readonly JournalLine[], deviceId: string): StoreData {
  return first && "snapshot" in first ? dataOf(first.snapshot) : newStoreData(deviceId);
}
