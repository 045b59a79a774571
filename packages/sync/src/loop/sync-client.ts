import { Draft } from "../feed/draft.ts";
import { adoptDevice, becomeNew } from "../identity/become-new.ts";
import { followLog, unfollowLog } from "../logs/follow-log.ts";
import type { CloudPort } from "../ports/cloud-port.ts";
import type { HeldLog } from "../ports/held-log.ts";
import type { Sealing } from "../ports/sealing.ts";
import type { Need, Store } from "../ports/store.ts";
import { isTooLarge } from "../sync-error.ts";
import { exchange } from "./exchange.ts";
import { countPending, mayDecide, type NextRequest, PLAN_NEED, planNext, planSettlement } from "./plan-next.ts";
import type { ProcessMemory } from "./process-memory.ts";
import { retryDelay } from "./retry-delay.ts";
import { settle } from "./settle.ts";
import { DEFAULT_LIMITS, type SyncLimits, type SyncParts } from "./sync-parts.ts";

/** Without a poke, the next look at the cloud comes after this. */
export const QUIET_MS = 30_000;

export interface SyncClientOptions {
  cloud: CloudPort;
  store: Store;
  sealing: Sealing;
  /** A fresh UUID for this process (S1). */
  boot: string;
  /** Milliseconds of any steady clock. */
  clock: () => number;
  /** In [0, 1). */
  random: () => number;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onStatus?: (status: SyncStatus) => void;
  /** Told of faults after which everything goes on. */
  onFault?: (what: string, error: unknown) => void;
  /** How much one message may hold; what the cloud accepts when absent. */
  limits?: SyncLimits;
}

/** What a person is told: never "online" from a socket, but when the last exchange went well and what waits. */
export interface SyncStatus {
  state: "working" | "resting" | "retrying" | "stopped";
  /** Why it stopped, or the last failure. */
  reason: string | null;
  lastRoundTripAt: number | null;
  pending: { events: number; records: number };
  failures: number;
}

/** The client loop over its ports. One for each process is wanted; several do no harm (S34). */
export class SyncClient {
  readonly #o: SyncClientOptions;
  readonly #parts: SyncParts;
  readonly #memory: ProcessMemory;
  #status: SyncStatus;
  #awake: AbortController | null = null;
  #stirred = false;
  /** Requests whose answer is awaited. */
  #asking = 0;

  constructor(o: SyncClientOptions) {
    const { boot, cloud, store, sealing, limits = DEFAULT_LIMITS, onFault = () => undefined } = o;
    this.#o = o;
    this.#memory = newMemory(boot, limits);
    this.#parts = { cloud, store, sealing, limits, onFault, memory: this.#memory };
    const pending = { events: 0, records: 0 };
    this.#status = { state: "working", reason: null, lastRoundTripAt: null, pending, failures: 0 };
  }

  get status(): SyncStatus {
    return this.#status;
  }
  /** True after a page to head, until something says that more has come. */
  get atHead(): boolean {
    return this.#memory.atHead;
  }
  get hello(): boolean {
    return this.#memory.hello;
  }

  /** The cloud has news (a poke, a reconnect): the next round begins with a pull. */
  poke(): void {
    this.#memory.atHead = false;
    this.changed();
  }

  /** Something was written here: it is sent at once, or with what gathers while a push is on its way. */
  changed(): void {
    this.#stirred = true;
    this.#awake?.abort();
  }

  /**
   * V12: a newer key epoch is used from now on: the events of all own logs that were never acknowledged are chained anew,
   * with their ids and numbers. Done on return where the cloud's state is known and nothing is on its way; else before the
   * next push.
   */
  async rechain(): Promise<void> {
    this.#memory.rechained = new Set();
    if (this.#asking === 0) while (await this.settle());
    this.changed();
  }

  /** Asks once for a compaction of an own log (S20), when nothing else is to be exchanged. */
  compact(range: { streamId: string; from: number; to: number }): void {
    const { compactions } = this.#memory;
    if (!compactions.some((one) => one.streamId === range.streamId && one.from === range.from)) compactions.push(range);
    this.changed();
  }

  /** S35: somebody opened a log here; its events come with the next rounds. */
  async follow(log: Pick<HeldLog, "streamId" | "kind" | "writer">): Promise<void> {
    await this.#write({ logs: [log.streamId] }, (draft) => followLog(draft, log));
    this.changed();
  }

  /** S35: nobody looks at it here any more. */
  async unfollow(streamId: string): Promise<void> {
    await this.#write({ logs: [streamId] }, (draft) => unfollowLog(draft, streamId));
  }

  /** S3, the default: this copy becomes a new device, which has been paired under this id. */
  async becomeNew(deviceId: string): Promise<void> {
    await this.#identity((draft) => becomeNew(draft, deviceId));
  }

  /** S3, when a person says so: this copy is the device; the other one is told at its next hello. */
  async adopt(): Promise<void> {
    await this.#identity(adoptDevice);
  }

  /** What it would send now. */
  async next(): Promise<NextRequest> {
    return planNext(await this.#o.store.read(PLAN_NEED), this.#memory);
  }

  /** Carries out one decision that needs no message; false: there is none. */
  async settle(): Promise<boolean> {
    const view = await this.#o.store.read(PLAN_NEED);
    const settlement = planSettlement(view, this.#memory);
    if (!settlement) {
      // What has no common ground yet gets new chain values when it finds it (S17).
      if (mayDecide(view, this.#memory)) this.#memory.rechained = null;
      return false;
    }
    await settle(this.#parts, settlement);
    return true;
  }

  /** One request and its answer. Rejects when no answer came; nothing is lost by that. */
  async exchange(): Promise<NextRequest["do"]> {
    const view = await this.#o.store.read(PLAN_NEED);
    const next = planNext(view, this.#memory);
    const rests = next.do === "wait" || next.do === "stop" || this.#status.state === "retrying";
    // A request that nobody answers may last: who waits for one has something left to exchange.
    this.#tell({ pending: countPending(view), ...(rests ? {} : { state: "working" }) });
    this.#asking += 1;
    await exchange(this.#parts, view, next).finally(() => (this.#asking -= 1));
    return next.do;
  }

  /** Works until the signal aborts: exchanges until nothing is left, then waits for a change, a poke or 30 s. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.#round();
      if (wait > 0 && !signal.aborted) await this.#rest(wait, signal);
    }
  }

  /** How long to wait before the next round, milliseconds. */
  async #round(): Promise<number> {
    this.#stirred = false;
    try {
      while (await this.settle());
      const did = await this.exchange();
      const at = did === "wait" || did === "stop" ? this.#status.lastRoundTripAt : this.#o.clock();
      const state = did === "wait" ? "resting" : did === "stop" ? "stopped" : "working";
      this.#tell({ state, reason: null, lastRoundTripAt: at, failures: 0 });
      if (did !== "wait" && did !== "stop") return 0;
      return QUIET_MS;
    } catch (error) {
      if (isTooLarge(error)) this.#memory.push.bytes = Math.max(1, this.#memory.push.bytes >> 1);
      const failures = this.#status.failures + 1;
      const reason = error instanceof Error ? error.message : String(error);
      this.#tell({ state: "retrying", reason, failures });
      return retryDelay(failures, this.#o.random());
    }
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    // A local change does not hurry a retry: the cloud is not there.
    const hurries = this.#status.state !== "retrying";
    if (hurries && this.#stirred) return;
    const awake = new AbortController();
    const stop = (): void => awake.abort();
    signal.addEventListener("abort", stop, { once: true });
    this.#awake = hurries ? awake : null;
    await this.#o.sleep(ms, awake.signal);
    this.#awake = null;
    signal.removeEventListener("abort", stop);
    if (hurries && !this.#stirred) this.#memory.atHead = false;
  }

  async #identity(decide: (draft: Draft) => void): Promise<void> {
    await this.#write({ dirty: Number.MAX_SAFE_INTEGER }, decide);
    this.#memory.hello = false;
    this.#memory.atHead = false;
    this.changed();
  }

  async #write(need: Need, decide: (draft: Draft) => void): Promise<void> {
    await this.#o.store.apply(need, (view) => {
      const draft = new Draft(view);
      decide(draft);
      return { changes: draft.changes(), result: undefined };
    });
  }

  #tell(change: Partial<SyncStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#o.onStatus?.(this.#status);
  }
}

function newMemory(boot: string, { events, bytes }: SyncLimits): ProcessMemory {
  const push = { events, bytes };
  return {
    boot,
    hello: false,
    atHead: false,
    now: 0,
    probe: new Map(),
    rechained: null,
    stale: false,
    compactions: [],
    push,
  };
}
