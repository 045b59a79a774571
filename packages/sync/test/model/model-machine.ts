import type { LocalChange, Machine, Surroundings } from "./machine.ts";
import { planNext, sealRecords } from "./model-plan.ts";
import { onReply } from "./model-reply.ts";
import { settle } from "./model-settle.ts";
import {
  appendEvent,
  appendLocal,
  becomeNew,
  chainAt,
  editRecord,
  type ModelProcess,
  type ModelStore,
  newLog,
  newProcess,
  newStore,
} from "./model-store.ts";
import { copyOf, type Rules } from "./rules.ts";
import type { Reply, Request } from "./shapes.ts";

/** A machine that runs the model of the client, in which each rule can be switched off. */
export function modelMachine(o: { uid: number; dev: string; rules: Rules; world: Surroundings }): Machine {
  return new ModelMachine(o);
}

class ModelMachine implements Machine {
  readonly uid: number;
  off = 0;
  readonly #rules: Rules;
  readonly #world: Surroundings;
  #st: ModelStore;
  #vol: ModelProcess | null = null;

  constructor({ uid, dev, rules, world }: { uid: number; dev: string; rules: Rules; world: Surroundings }) {
    this.uid = uid;
    this.#rules = rules;
    this.#world = world;
    this.#st = newStore(dev);
  }

  view(): ModelStore {
    return this.#st;
  }
  get running(): boolean {
    return this.#vol !== null;
  }
  get boot(): string | null {
    return this.#vol?.boot ?? null;
  }
  get hello(): boolean {
    return this.#vol?.hello ?? false;
  }
  get atHead(): boolean {
    return this.#vol?.atHead ?? false;
  }

  start(): void {
    this.#vol ??= newProcess(this.#world.newId("b"));
  }
  crash(): void {
    this.#vol = null;
  }
  save(): unknown {
    return copyOf(this.#st);
  }
  load(saved: unknown): void {
    this.#st = copyOf(saved as ModelStore);
    this.#vol = null;
  }

  change(change: LocalChange): void {
    this.#world.around(this, () => this.#change(change));
  }

  #change(change: LocalChange): void {
    const st = this.#st;
    switch (change.do) {
      case "append": {
        const log = st.logs[change.sid];
        if (log) appendLocal(log, change.id, st.key);
        return;
      }
      case "session": {
        const log = newLog(change.sid, st.dev, true);
        st.logs[change.sid] = log;
        appendEvent(log, change.id, st.key);
        return editRecord(st, { kind: "session", id: change.sid, body: "started" });
      }
      case "delete":
        Object.assign(st.logs[change.sid] ?? {}, { dead: true, events: [], side: [], pushed: 0, final: 0 });
        return editRecord(st, { kind: "session", id: change.sid, body: "deleted", del: true });
      case "follow":
        (st.logs[change.sid] ??= newLog(change.sid, change.writer, false)).followed = true;
        return;
      case "unfollow": {
        const log = st.logs[change.sid];
        if (log) log.followed = log.writer === st.dev;
        return;
      }
      case "rechain":
        st.key = change.key;
        if (this.#vol) this.#vol.rechain = true;
        return;
      case "edit":
        return editRecord(st, change);
      case "new-device":
        return becomeNew(st, this.#vol, change.dev);
      case "adopt":
        Object.assign(st, { seen: st.copy?.seen, mode: "adopt", copy: null });
    }
  }

  compact({ sid, from, to }: { sid: string; from: number; to: number }): void {
    const log = this.#st.logs[sid];
    if (!this.#vol || !log) return;
    this.#vol.compact = { sid, from, to, prev: chainAt(log, from - 1) ?? "", mac: chainAt(log, to) ?? "" };
  }

  async send(): Promise<{ rid: string; q: Request } | null> {
    const vol = this.#vol;
    if (!vol || Object.keys(vol.open).length >= 2 || !planNext(this.#st, vol, this.#rules)) return null;
    if (!this.#st.boots.includes(vol.boot)) this.#st.boots.push(vol.boot);
    this.#world.around(this, () => sealRecords(this.#st, vol, this.#rules));
    const q = planNext(this.#st, vol, this.#rules);
    if (!q) return null;
    const rid = this.#world.newId("q");
    vol.open[rid] = q;
    return { rid, q: copyOf(q) };
  }

  async receive(rid: string, reply: Reply, crashAt: number): Promise<void> {
    const vol = this.#vol;
    const q = vol?.open[rid];
    if (!vol || !q) return;
    delete vol.open[rid];
    if (this.#st.revoked) return;
    const context = { vol, rules: this.#rules, ran: this.#world.ran };
    let left = crashAt;
    const run = (transaction: () => void): boolean => {
      if (left-- <= 0) this.crash();
      else this.#world.around(this, transaction);
      return this.#vol !== null;
    };
    for (const transaction of onReply({ st: this.#st, vol, rules: this.#rules }, q, reply))
      if (!run(transaction)) return;
    for (let k = 0; k < 50; k++) {
      const next = settle(this.#st, context);
      if (!next || !run(next)) return;
    }
  }

  forget(which: "first" | "all"): void {
    if (!this.#vol) return;
    const ids = Object.keys(this.#vol.open);
    for (const rid of which === "all" ? ids : ids.slice(0, 1)) delete this.#vol.open[rid];
  }
  poke(): void {
    if (this.#vol?.hello) this.#vol.atHead = false;
  }
  async wants(): Promise<string | null> {
    return this.#vol ? (planNext(this.#st, this.#vol, this.#rules)?.t ?? null) : null;
  }
}
