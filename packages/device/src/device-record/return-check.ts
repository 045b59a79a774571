import { newIncarnation, planReturn } from "@codehands/vault";
import type { ViewDeps } from "./find-suspicions.ts";

export interface ReturnDeps extends ViewDeps {
  /** The highest n that was ever handed out, as it is stored. */
  ownN: () => Promise<number>;
  /** The database went back: a new incarnation was made. */
  onWentBack: () => void;
}

/**
 * V25: before this process seals anything, it finds out whether its database went back: the cloud holds a higher n or seq
 * of its own, or a person said that this copy is the device. Then commands for what it was before hold no more, and n goes
 * on above the highest.
 */
export class ReturnCheck {
  readonly #deps: ReturnDeps;
  #done: Promise<void> | null = null;
  #behind = false;
  #bootsFit = true;

  constructor(deps: ReturnDeps) {
    this.#deps = deps;
  }

  /** A process says hello: it is asked anew. */
  begin(): void {
    this.#done = null;
  }

  /** A person said that this copy is the device (S3). */
  adopted(): void {
    this.#bootsFit = false;
    this.#done = null;
  }

  /** Events are fetched: of an own log only when the cloud holds what this database does not. */
  async fetching(streamId: string): Promise<void> {
    const log = await this.#deps.store.logOf(streamId);
    if (log?.writer !== this.#deps.member.id || this.#behind) return;
    this.#behind = true;
    this.#done = null;
  }

  /** Settled before anything is sealed. */
  settled(): Promise<void> {
    this.#done ??= this.#settle().catch((error: unknown) => {
      this.#done = null;
      throw error;
    });
    return this.#done;
  }

  async #settle(): Promise<void> {
    const { store, member, facts } = this.#deps;
    const cloudN: number[] = [];
    for (const { base } of await store.allRecords()) {
      const known = base?.writer === member.id ? await facts.ofBase(base) : null;
      if (known?.header.writer === member.id) cloudN.push(known.header.n);
    }
    const logs = this.#behind ? [{ own: 0, cloud: 1 }] : [];
    const plan = planReturn({ ownN: await this.#deps.ownN(), cloudN, logs, bootsFit: this.#bootsFit });
    if (!plan.wentBack) return;
    await member.change({ incarnation: newIncarnation(), lastN: plan.lastN });
    this.#behind = false;
    this.#bootsFit = true;
    this.#deps.onWentBack();
  }
}
