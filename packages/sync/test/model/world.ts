import type { Machine, Surroundings } from "./machine.ts";
import { feedOf, handle, newCloud } from "./model-cloud.ts";
import { Oracle } from "./oracle.ts";
import { copyOf, type Rules } from "./rules.ts";
import type { Cloud, Reply, Request } from "./shapes.ts";

type Message =
  | { to: "cloud"; uid: number; rid: string; q: Request }
  | { to: "device"; uid: number; rid: string; p: Reply };

export interface Faults {
  cloud: number;
  silent: number;
  local: number;
  clone: number;
}
export type MakeMachine = (o: { uid: number; dev: string; rules: Rules; world: Surroundings }) => Machine;
export interface WorldOptions {
  rules: Rules;
  machines: number;
  make: MakeMachine;
  log?: ((line: string) => void) | undefined;
}

/** Physical machines, one cloud, and a network that loses, doubles, delays and reorders. */
export class World {
  readonly rules: Rules;
  readonly machines: Machine[] = [];
  readonly backups: Cloud[] = [];
  readonly saved = new Map<Machine, unknown>();
  readonly oracle: Oracle;
  readonly faults: Faults = { cloud: 0, silent: 0, local: 0, clone: 0 };
  readonly log: (line: string) => void;
  readonly #make: MakeMachine;
  cloud: Cloud;
  net: Message[] = [];
  #older: Cloud | null = null;
  #ids = 0;
  #keys = 0;
  readonly #items = new Map<string, string>();
  readonly #keyOf = new Map<string, number>();

  constructor({ rules, machines, make, log }: WorldOptions) {
    this.rules = rules;
    this.log = log ?? (() => undefined);
    this.#make = make;
    this.cloud = newCloud(this.newId("E"));
    this.oracle = new Oracle(this);
    for (let uid = 0; uid < machines; uid++) this.addMachine().start();
  }

  newId(prefix: string): string {
    return `${prefix}${++this.#ids}`;
  }

  newKey(): number {
    return ++this.#keys;
  }

  addMachine(): Machine {
    const uid = this.machines.length;
    const world: Surroundings = {
      around: (machine, transaction) => this.oracle.around(machine, transaction),
      ran: (command) => this.oracle.ran(command),
      newId: (prefix) => this.newId(prefix),
      items: this.#items,
      keys: this.#keyOf,
    };
    const machine = this.#make({ uid, dev: `D${uid}`, rules: this.rules, world });
    this.machines.push(machine);
    return machine;
  }

  living(): Machine[] {
    return this.machines.filter((machine) => !machine.view().revoked);
  }

  /** The cloud is put back to an earlier state. */
  restoreCloud(to: Cloud, { silent }: { silent: boolean }): void {
    this.cloud = copyOf(to);
    if (!silent) this.cloud.epoch = this.newId("E");
    this.faults.cloud++;
    if (silent) this.faults.silent++;
    this.#older = null;
  }

  /** A machine puts its next request on the wire; its id, or null when it has none. */
  async tick(machine: Machine): Promise<string | null> {
    const sent = await machine.send();
    if (!sent) return null;
    this.oracle.asked(machine, sent.q);
    this.net.push({ to: "cloud", uid: machine.uid, rid: sent.rid, q: copyOf(sent.q) });
    return sent.rid;
  }

  async deliver(index: number, crashAt = 99): Promise<void> {
    const [message] = this.net.splice(index, 1);
    if (!message) return;
    const machine = this.machines[message.uid];
    if (!machine) return;
    if (message.to === "device") return machine.receive(message.rid, message.p, crashAt);
    const before = copyOf(this.cloud);
    const { q } = message;
    if (!this.rules.oneSnap && (q.t === "pull" || q.t === "push")) q.older = this.#older ?? before;
    const p = handle(this.cloud, q, this.rules);
    this.#older = before;
    if (machine.sum && p.page?.sum !== undefined) p.page.wireSum = machine.sum(feedOf(this.cloud));
    this.log(`  ${q.t} of ${q.dev} -> ${p.code} ${p.reason ?? ""}${resultText(p)}`);
    this.oracle.cloudMoved(before);
    this.oracle.answered(machine, q, p);
    this.net.push({ to: "device", uid: message.uid, rid: message.rid, p: copyOf(p) });
  }

  /** One whole exchange without a fault of the network. */
  async go(machine: Machine, crashAt = 99): Promise<void> {
    if (machine.off > 0) {
      machine.off--;
      return;
    }
    const rid = await this.tick(machine);
    if (rid === null) return;
    const find = (): number => this.net.findIndex((message) => message.rid === rid);
    await this.deliver(find());
    if (find() >= 0) await this.deliver(find(), crashAt);
  }
}

function resultText(p: Reply): string {
  const all = [
    ...(p.logs ?? []).map((one) => [one.sid, one.code]),
    ...(p.recs ?? []).map((one) => [one.key, one.code]),
  ];
  return all.map(([name, code]) => `${name}=${code}`).join(" ");
}
