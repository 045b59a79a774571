import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { fieldOf } from "../../src/commands/decide-outcome.ts";
import { Draft } from "../../src/feed/draft.ts";
import { logDigest, recordDigest, xorSums } from "../../src/feed/row-digest.ts";
import { adoptDevice, becomeNew } from "../../src/identity/become-new.ts";
import { appendChained, appendOwn } from "../../src/logs/append-events.ts";
import { deleteLog } from "../../src/logs/delete-log.ts";
import { followLog, unfollowLog } from "../../src/logs/follow-log.ts";
import { type ChainedEvent, type HeldLog, newLog } from "../../src/ports/held-log.ts";
import type { HeldRecord } from "../../src/ports/held-record.ts";
import type { Need } from "../../src/ports/store.ts";
import { EMPTY_SUM } from "../../src/ports/sync-state.ts";
import { editRecord, type RecordEdit } from "../../src/records/edit-record.ts";
import { type MemoryStore, newStoreData, type StoreData } from "../../src/stores/memory-store.ts";
import type { LocalChange, Machine, Surroundings, View } from "./machine.ts";
import { inMemory, type MachineStore, type OpenMachineStore } from "./machine-store.ts";
import { RealProcess } from "./real-process.ts";
import { viewOfData } from "./real-view.ts";
import { logOut, recordOut } from "./real-wire.ts";
import { linkOf, sealedName } from "./rules.ts";
import type { PageRow, Reply, Request } from "./shapes.ts";
import { idOf, KINDS, macOf, nameOf, nameOfMac } from "./wire-names.ts";

/** Machines on which the real client loop runs, over real stores of one kind. */
export const machinesOver =
  (open: OpenMachineStore) =>
  (o: { uid: number; dev: string; world: Surroundings }): Machine =>
    new RealMachine(o, open);

/** A machine on which the real client loop runs over the real memory store. */
export const realMachine = machinesOver(inMemory);

class RealMachine implements Machine {
  readonly uid: number;
  off = 0;
  readonly #world: Surroundings;
  readonly #openStore: OpenMachineStore;
  #store: MachineStore;
  #key = 0;
  #process: RealProcess | null = null;
  #view: View | null = null;

  constructor({ uid, dev, world }: { uid: number; dev: string; world: Surroundings }, open: OpenMachineStore) {
    this.uid = uid;
    this.#world = world;
    this.#openStore = open;
    this.#store = this.#open(newStoreData(idOf(dev)));
  }

  #open(data: StoreData): MachineStore {
    this.#view = null;
    const around = (transaction: () => void): void =>
      this.#world.around(this, () => {
        transaction();
        this.#view = null;
      });
    return this.#openStore({ data, around, execute: (store, command) => this.#execute(store, command) });
  }

  view(): View {
    return (this.#view ??= viewOfData(this.#store.data, this.#world.keys));
  }
  get running(): boolean {
    return this.#process !== null;
  }
  get boot(): string | null {
    return this.#process?.boot ?? null;
  }
  get hello(): boolean {
    return this.#process?.client.hello ?? false;
  }
  get atHead(): boolean {
    return this.#process?.client.atHead ?? false;
  }

  start(): void {
    if (this.#process) return;
    const boot = this.#world.newId("b");
    const process = new RealProcess({
      boot,
      store: this.#store,
      world: this.#world,
      key: () => this.#key,
      dead: () => this.#died(process),
    });
    this.#process = process;
  }
  #died(process: RealProcess): void {
    if (this.#process === process) this.#process = null;
  }
  crash(): void {
    this.#process?.kill();
    this.#process = null;
    this.#store.leave();
  }
  save(): unknown {
    return structuredClone(this.#store.data);
  }
  load(saved: unknown): void {
    this.crash();
    this.#store = this.#open(structuredClone(saved as StoreData));
  }

  async change(change: LocalChange): Promise<void> {
    const client = this.#process?.client;
    if (change.do === "new-device" && client) return client.becomeNew(idOf(change.dev));
    if (change.do === "adopt" && client) return client.adopt();
    const write = (need: Need, decide: (draft: Draft) => void): Promise<void> =>
      this.#store.apply(need, (view) => {
        const draft = new Draft(view);
        decide(draft);
        return { changes: draft.changes(), result: undefined };
      });
    switch (change.do) {
      case "new-device":
        return write({ dirty: 1_000_000 }, (draft) => becomeNew(draft, idOf(change.dev)));
      case "adopt":
        return write({}, adoptDevice);
      case "append": {
        const streamId = idOf(change.sid);
        return write({ logs: [streamId] }, (draft) => this.#append(draft, streamId, change.id));
      }
      case "session": {
        const streamId = idOf(change.sid);
        return write({}, (draft) => {
          const kind = LOG_KINDS.session;
          const log = { ...newLog({ streamId, kind, writer: draft.state.deviceId }), mine: true };
          appendChained(draft, log, [this.#chained(log, change.id)]);
          put(draft, { kind: RECORD_KINDS.session, id: streamId, body: "started" });
        });
      }
      case "delete": {
        const streamId = idOf(change.sid);
        const edit = { kind: RECORD_KINDS.session, id: streamId, body: "deleted", deleted: true };
        return write({ logs: [streamId], records: [edit] }, (draft) => {
          const log = draft.log(streamId);
          if (log) deleteLog(draft, log);
          put(draft, edit);
        });
      }
      case "follow": {
        const name = { streamId: idOf(change.sid), kind: LOG_KINDS.session, writer: idOf(change.writer) };
        return write({ logs: [name.streamId] }, (draft) => followLog(draft, name));
      }
      case "unfollow": {
        const streamId = idOf(change.sid);
        return write({ logs: [streamId] }, (draft) => unfollowLog(draft, streamId));
      }
      case "rechain":
        this.#key = change.key;
        return client?.rechain();
      case "edit": {
        const kind = KINDS[change.kind] ?? 0;
        const edit = { kind, id: idOf(change.id), body: wireBody(change), deleted: change.del ?? false };
        return write({ records: [edit] }, (draft) => put(draft, edit));
      }
    }
  }

  /** What takes a command on here: it runs within the transaction, or is refused. */
  #execute(store: MemoryStore, command: HeldRecord): string {
    const streamId = idOf(fieldOf(command.body, "sid") ?? "");
    const log = store.data.logs.get(streamId);
    const boot = this.boot ?? "";
    if (!log || log.dead || log.writer !== store.data.state.deviceId) return JSON.stringify({ state: "refused", boot });
    this.#world.ran(nameOf(command.id));
    store.applySync({ logs: [streamId] }, (view) => {
      const draft = new Draft(view);
      this.#append(draft, streamId, `c:${nameOf(command.id)}:${nameOf(log.writer)}`);
      return { changes: draft.changes(), result: undefined };
    });
    return JSON.stringify({ state: "done", boot });
  }

  #chained(log: HeldLog, id: string): ChainedEvent {
    const sid = nameOf(log.streamId);
    const seq = log.lastSeq + 1;
    const mac = linkOf(nameOfMac(sid, log.tailMac), seq, sealedName(id, this.#key));
    this.#world.keys.set(mac, this.#key);
    return { seq, id, line: id, mac: macOf(sid, mac) };
  }

  #append(draft: Draft, streamId: string, id: string): void {
    const log = draft.log(streamId);
    if (!log) return;
    appendOwn(draft, log, log.waiting > 0 ? { waiting: [{ id, line: id }] } : { chained: [this.#chained(log, id)] });
  }

  compact({ sid, from, to }: { sid: string; from: number; to: number }): void {
    this.#process?.client.compact({ streamId: idOf(sid), from, to });
  }
  async send(): Promise<{ rid: string; q: Request } | null> {
    return (await this.#process?.send()) ?? null;
  }
  async receive(rid: string, reply: Reply, crashAt: number): Promise<void> {
    if (!this.view().revoked) await this.#process?.receive(rid, reply, crashAt);
  }
  forget(which: "first" | "all"): void {
    this.#process?.forget(which);
  }
  poke(): void {
    if (this.hello) this.#process?.client.poke();
  }
  async wants(): Promise<string | null> {
    const next = await this.#process?.client.next();
    return !next || next.do === "wait" || next.do === "stop" ? null : next.do;
  }
  sum(rows: readonly PageRow[]): string {
    const one = (row: PageRow): string =>
      row.what === "log" ? logDigest(logOut(row)) : recordDigest(recordOut(row, this.#world.items));
    return rows.map(one).reduce(xorSums, EMPTY_SUM);
  }
}

const put = (draft: Draft, edit: RecordEdit): void =>
  draft.putRecord(edit, editRecord(draft.record(edit), edit, draft.state.deviceId));

/** A command names its target as the wire does, beside the model's own words. */
function wireBody({ kind, body }: { kind: string; body: string }): string {
  if (kind !== "command") return body;
  const words = JSON.parse(body) as { target: string; sid: string };
  return JSON.stringify({ ...words, targetDeviceId: idOf(words.target) });
}
