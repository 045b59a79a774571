import { SyncClient } from "../../src/loop/sync-client.ts";
import type { Decision, Need, Store, View } from "../../src/ports/store.ts";
import type { Surroundings } from "./machine.ts";
import type { MachineStore } from "./machine-store.ts";
import { modelSealing } from "./real-sealing.ts";
import { modelCloudPort } from "./real-wire.ts";
import type { Reply, Request } from "./shapes.ts";
import { nameOf } from "./wire-names.ts";

type Done = { ok: true } | { ok: false; error: unknown };
interface OpenRequest {
  answer: (reply: Reply) => void;
  done: Promise<Done>;
}

export interface RealProcessOptions {
  boot: string;
  store: MachineStore;
  world: Surroundings;
  /** The key epoch of the machine. */
  key: () => number;
  /** Called when it dies between two transactions. */
  dead: () => void;
}

/** One process: the real client, whose messages wait for the world and whose store may stop answering. */
export class RealProcess implements Store {
  readonly boot: string;
  readonly client: SyncClient;
  readonly #o: RealProcessOptions;
  readonly #open = new Map<string, OpenRequest>();
  readonly #death: Promise<void>;
  #die: () => void = () => undefined;
  #isDead = false;
  #left = Number.POSITIVE_INFINITY;
  #asked: ((sent: { q: Request; answer: (reply: Reply) => void }) => void) | null = null;

  constructor(o: RealProcessOptions) {
    const { world, store, boot } = o;
    this.#o = o;
    this.boot = boot;
    this.#death = new Promise((resolve) => (this.#die = resolve));
    const ask = async (q: Request): Promise<Reply> =>
      new Promise((answer) => {
        this.#asked?.({ q, answer });
      });
    const dev = (): string => nameOf(store.data.state.deviceId);
    this.client = new SyncClient({
      boot,
      store: this,
      cloud: modelCloudPort({ dev, items: world.items, ask }),
      sealing: modelSealing({ items: world.items, nonce: () => world.newId("n"), key: o.key, keys: world.keys }),
      clock: () => 0,
      random: () => 0,
      sleep: async () => undefined,
      limits: { events: 3, bytes: 1_000, rows: 3, segments: 3 },
    });
  }

  async read(need: Need): Promise<View> {
    return this.#isDead ? new Promise<View>(() => undefined) : this.#o.store.read(need);
  }

  async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
    if (this.#left-- <= 0) this.kill();
    if (this.#isDead) return new Promise<T>(() => undefined);
    return this.#o.store.apply(need, decide);
  }

  kill(): void {
    this.#isDead = true;
    this.#die();
    this.#o.dead();
  }

  /** Decides what needs no message, then puts one request on the wire. */
  async send(): Promise<{ rid: string; q: Request } | null> {
    if (this.#open.size >= 2) return null;
    await this.#settle();
    const asked = new Promise<{ q: Request; answer: (reply: Reply) => void }>((resolve) => (this.#asked = resolve));
    const done = this.client.exchange().then(
      (): Done => ({ ok: true }),
      (error: unknown): Done => ({ ok: false, error }),
    );
    const first = await Promise.race([asked, done, this.#death.then(() => null)]);
    this.#asked = null;
    if (!first) return null;
    if ("ok" in first) {
      if (!first.ok) throw first.error;
      return null;
    }
    const rid = this.#o.world.newId("q");
    this.#open.set(rid, { answer: first.answer, done });
    return { rid, q: first.q };
  }

  /** Hands a reply in; the process dies after `crashAt` transactions. */
  async receive(rid: string, reply: Reply, crashAt: number): Promise<void> {
    const request = this.#open.get(rid);
    if (!request) return;
    this.#open.delete(rid);
    this.#left = crashAt;
    request.answer(reply);
    const done = await Promise.race([request.done, this.#death]);
    if (done && !done.ok) throw done.error;
    await this.#settle();
    this.#left = Number.POSITIVE_INFINITY;
  }

  async #settle(): Promise<void> {
    for (let k = 0; k < 50 && !this.#isDead; k++) {
      const again = await Promise.race([this.client.settle(), this.#death.then(() => false)]);
      if (!again) return;
    }
  }

  forget(which: "first" | "all"): void {
    for (const rid of which === "all" ? [...this.#open.keys()] : [...this.#open.keys()].slice(0, 1))
      this.#open.delete(rid);
  }
}
