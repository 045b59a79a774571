import type { SyncView } from "@codehands/api";
import type { SyncClient, SyncStatus } from "@codehands/sync";
import type { Suspicion } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import { suspicionName } from "../device-record/find-suspicions.ts";
import { RecordKeeper } from "../device-record/record-keeper.ts";
import type { DeviceCalls } from "../keys/device-calls.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import type { Membership } from "../roster/membership.ts";
import { StopError } from "../roster/stop-code.ts";
import type { FactsCache } from "../sealing/record-memory.ts";
import { followPokes } from "./live-pokes.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type OpenSync, openSync } from "./open-sync.ts";
import { readRosterOn, sealCommandsAgain } from "./read-roster-on.ts";
import { askOf, readSyncView } from "./read-sync-view.ts";
import { sleep } from "./sleep.ts";
import { startOver } from "./start-over.ts";

/** How long `now` waits for what is to be sent and fetched. */
const NOW_MS = 10_000;

/** The exchange of one member with its cloud, from signing in to signing out. */
export class SyncLoop {
  readonly #options: DeviceOptions;
  readonly #member: Membership;
  readonly #sync: OpenSync;
  readonly #keeper: RecordKeeper;
  readonly #end = new AbortController();
  #run: { stop: AbortController; done: Promise<void> } | null = null;
  #head = 0;
  /** The head that the cloud last told of by itself, until it was looked at. */
  #news = 0;
  #failure: unknown = null;
  readonly #watchers = new Set<() => void>();
  /** Reads the roster on; whoever asks at the same time is answered by one look that began after. */
  readonly pullRoster: () => Promise<void> = oneAtATime(() => this.#pullRoster());
  #collecting: Promise<void> = Promise.resolve();
  readonly #collect = oneAtATime(() => this.#collectNow());
  readonly #atRest = oneAtATime(() => this.#restNow());

  constructor(options: DeviceOptions, member: Membership) {
    this.#options = options;
    this.#member = member;
    const { signal } = this.#end;
    this.#sync = openSync(options, member, {
      signal,
      pullRoster: () => this.pullRoster(),
      onPage: ({ head, fromOthers }) => {
        this.#head = Math.max(this.#head, head);
        if (fromOthers) this.#keeper.othersChanged();
      },
      onStatus: (status) => this.#onStatus(status),
      onAnswer: (error) => (this.#failure = error),
      onWentBack: () => this.#keeper.ownChanged(),
      onFault: (what, error) => this.#fault(what, error),
    });
    this.#keeper = new RecordKeeper({
      store: options.store,
      member,
      facts: this.#sync.facts,
      about: options.about,
      deviceN: () => this.#sync.deviceN(),
      changed: () => this.#sync.client.changed(),
      startOver: () => this.#startOver(),
      sleep: (ms) => sleep(ms, signal),
      now: () => performance.now(),
      hasEnded: () => signal.aborted,
      onFault: (what, error) => this.#fault(what, error),
    });
  }

  get calls(): DeviceCalls {
    return this.#sync.calls;
  }
  get facts(): FactsCache {
    return this.#sync.facts;
  }
  get client(): SyncClient {
    return this.#sync.client;
  }
  get suspicions(): readonly Suspicion[] {
    return this.#keeper.suspicions;
  }
  /** Everything that came was held against what devices have seen. */
  get isSettled(): boolean {
    return this.#keeper.isSettled;
  }

  /** A command waits for what came to be compared. */
  lookSoon(): void {
    this.#keeper.lookSoon();
  }

  /** Begins, unless a person paused it or has to act first. */
  start(): void {
    const { paused, stopped } = this.#member.account;
    if (this.#run || this.#end.signal.aborted || paused || stopped !== null) return;
    const stop = new AbortController();
    const { client, calls } = this.#sync;
    const pokes = {
      onHead: (head: number) =>
        void this.#poked(head).catch((error: unknown) => this.#fault("A word of the cloud was not followed.", error)),
      onRefused: () => client.poke(),
    };
    const work = [client.run(stop.signal), followPokes(calls, pokes, stop.signal)];
    const done = Promise.all(work).then(
      () => undefined,
      (error: unknown) => this.#fault("The sync ended with a fault of ours.", error),
    );
    this.#run = { stop, done };
    // An earlier process may have learned of a new key and no more.
    sealCommandsAgain(this.#options, this.#member).catch((error: unknown) =>
      this.#fault("Commands were not sealed again.", error),
    );
    this.changed();
  }

  /** Something of this device's own was committed: it is collected, then sent. */
  changed(): void {
    if (this.#run) this.#collecting = this.#collect().then(() => this.#sync.client.changed());
  }

  /** Exchanges at once; ends when nothing is left to do, after a failure, or after some seconds. */
  async now(): Promise<void> {
    if (!this.#run) return;
    await this.#collect();
    const { client } = this.#sync;
    // What waits to be tried again is tried at once.
    if (client.status.state === "retrying") await this.#restart();
    const deadline = Date.now() + NOW_MS;
    const began = client.status.failures;
    let pulled = false;
    client.poke();
    while (Date.now() < deadline && this.#run) {
      pulled ||= !client.atHead;
      const { state, failures } = client.status;
      if (state === "stopped" || failures > began) return;
      if (state === "resting" && client.atHead && pulled) {
        this.#keeper.lookSoon();
        await this.#atRest();
        // What was written at that moment is to be sent as well.
        if (this.#keeper.isSettled && (await client.next()).do === "wait") return;
      }
      await this.#nextStatus(deadline - Date.now());
    }
  }

  async pause(): Promise<void> {
    await this.#member.change({ paused: true });
    await this.#halt();
  }

  /** Goes on after a pause, and tries again what had stopped. */
  async resume(): Promise<void> {
    await this.#member.change({ paused: false, stopped: null });
    this.start();
  }

  async reset(): Promise<void> {
    await this.#startOver();
    if (this.#member.account.stopped !== null) await this.#member.change({ stopped: null });
    this.start();
  }

  /** A person has looked at what shows. */
  async acknowledge(): Promise<void> {
    const names = this.#keeper.suspicions.map(suspicionName);
    const acknowledged = [...new Set([...this.#member.account.acknowledged, ...names])];
    await this.#member.change({ acknowledged });
    this.#sync.client.changed();
  }

  /** This is the device; the other copy is told (S3). */
  async adopt(): Promise<void> {
    this.#sync.returned.adopted();
    await this.#sync.client.adopt();
  }

  /** Gives this device another name, in its signed record. */
  async rename(name: string): Promise<boolean> {
    for (let tries = 0; tries < 20; tries++) {
      if ((await this.#keeper.write({ name, always: true })) === "written") return true;
      // What else is to be sent goes first.
      await this.now();
    }
    return false;
  }

  /** What a person is asked to do; null when nothing. */
  async asks(): Promise<SyncView["ask"]> {
    return askOf((await this.#options.store.read({})).state, this.#isUnknown);
  }

  view(): Promise<SyncView> {
    return readSyncView({
      store: this.#options.store,
      account: this.#member.account,
      status: this.#sync.client.status,
      head: this.#head,
      suspicions: this.#keeper.suspicions,
      isUnknown: this.#isUnknown,
      uncollected: this.#options.uncollected,
    });
  }

  get #isUnknown(): boolean {
    return this.#failure instanceof DeviceError && this.#failure.code === "unknown_device";
  }

  async close(): Promise<void> {
    // Streams first: one whose request is ended under it would come back.
    const halted = this.#halt();
    this.#end.abort();
    await halted;
    await Promise.all([this.#atRest(), this.#keeper.idle(), this.#collecting]);
  }

  async #halt(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.stop.abort();
    await run?.done;
  }

  async #restart(): Promise<void> {
    await this.#halt();
    this.start();
  }

  async #poked(head: number): Promise<void> {
    this.#head = Math.max(this.#head, head);
    this.#news = head;
    const { client } = this.#sync;
    const { state } = await this.#options.store.read({});
    // The cloud is there again.
    if (client.status.state === "retrying" && this.#run) return this.#restart();
    if (head !== state.cursor) client.poke();
  }

  async #pullRoster(): Promise<void> {
    try {
      await readRosterOn(this.#options, this.#member, this.#sync);
    } catch (error) {
      if (error instanceof StopError) await this.#stopFor(error);
      throw error;
    }
  }

  /** Nothing is exchanged any more until a person has looked; everything here is kept. */
  async #stopFor({ vaultCode }: StopError): Promise<void> {
    await this.#member.change({ stopped: vaultCode });
    this.#run?.stop.abort();
    this.#run = null;
  }

  async #startOver(): Promise<void> {
    await startOver(this.#options.store);
    this.#sync.client.poke();
  }

  async #collectNow(): Promise<void> {
    try {
      await this.#options.collect?.();
    } catch (error) {
      this.#fault("What changed here could not be collected. It is tried again with the next change.", error);
    }
  }

  async #restNow(): Promise<void> {
    try {
      // News that came while a pull was on its way, which did not hold it yet.
      const { state } = await this.#options.store.read({});
      if (this.#news > state.cursor) this.#sync.client.poke();
      this.#news = 0;
      await this.#keeper.atRest();
      await this.#sync.compact();
    } catch (error) {
      this.#fault("What other devices have seen could not be compared.", error);
    }
  }

  #onStatus({ state }: SyncStatus): void {
    if (state === "resting") void this.#atRest();
    for (const watcher of this.#watchers) watcher();
  }

  #nextStatus(ms: number): Promise<void> {
    const changed = new AbortController();
    const watcher = (): void => changed.abort();
    this.#watchers.add(watcher);
    return sleep(ms, changed.signal).finally(() => this.#watchers.delete(watcher));
  }

  #fault(what: string, error: unknown): void {
    this.#options.onFault?.({ what, error });
  }
}
