import { must } from "./broken.ts";
import { checkLogs, checkRows, eventsOf } from "./check-store.ts";
import type { Machine, View } from "./machine.ts";
import { chainAt, isFetched } from "./model-store.ts";
import { eventIn, linkOf, rootOf } from "./rules.ts";
import type { Cloud, Reply, Request } from "./shapes.ts";
import type { World } from "./world.ts";

/** Events of own logs that the device knows to have been acknowledged. */
function ownFinals(view: View): { sid: string; at: number; id: string; mac: string }[] {
  const own = Object.values(view.logs).filter((log) => log.writer === view.dev);
  return own.flatMap(({ sid, events, final }) =>
    events.slice(0, final).map(({ id, mac }, at) => ({ sid, at, id, mac })),
  );
}

/** Sees everything and checks the promises after every step. */
export class Oracle {
  readonly #w: World;
  /** Events that were acknowledged, and where. */
  readonly ever = new Map<string, string>();
  /** Events and sessions that their owner deleted. */
  readonly gone = new Set<string>();
  readonly goneSid = new Set<string>();
  readonly deleted = new Set<string>();
  readonly runs = new Map<string, number>();
  readonly #writers = new Map<string, string>();
  readonly #withdrawn = new Set<string>();
  readonly #sealed = new Map<string, string>();

  constructor(world: World) {
    this.#w = world;
  }

  cloudEvents(): Set<string> {
    return new Set(Object.values(this.#w.cloud.segs).flatMap((segs) => segs.flatMap((seg) => seg.events.map(eventIn))));
  }

  ran(command: string): void {
    const { faults } = this.#w;
    const times = (this.runs.get(command) ?? 0) + 1;
    this.runs.set(command, times);
    must(faults.cloud || !this.#withdrawn.has(command), `WITHDRAWN: ${command} ran, although it was withdrawn first`);
    const known = faults.cloud && (faults.local || faults.clone);
    must(times <= 1 || known, `TWICE: command ${command} executed ${times} times`);
  }

  /** Around one local transaction: what was held must still be held, or be in the cloud. */
  around(machine: Machine, transaction: () => void): void {
    const { cloud, faults } = this.#w;
    const view = machine.view();
    const { dev } = view;
    const before = eventsOf(view);
    const revs = Object.entries(view.recs).map(([key, rec]) => {
      const mine = view.logs[rec.id]?.writer === dev && cloud.logs[rec.id]?.writer === dev;
      return { key, rev: rec.rev, watched: key.startsWith("pref:") || (rec.kind === "session" && mine) };
    });
    const finals = faults.local || faults.clone ? [] : ownFinals(view);
    transaction();
    const now = machine.view();
    for (const { sid, at, id, mac } of finals) {
      const event = now.logs[sid]?.events[at];
      must(event?.id !== id || event.mac === mac, `RECHAINED: ${id}, which was acknowledged, got another chain value`);
    }
    if (!faults.silent && now.dev === dev)
      for (const { key, rev, watched } of revs) {
        if (!watched || this.deleted.has(key)) continue;
        const held = now.recs[key]?.rev ?? 0;
        must(held >= rev, () => `REV: ${dev} had ${key} rev ${rev}, now ${held}`);
      }
    const after = eventsOf(now);
    let has: Set<string> | null = null;
    for (const [event, sid] of before) {
      if (after.has(event) || this.gone.has(event) || this.goneSid.has(sid)) continue;
      has ??= this.cloudEvents();
      must(has.has(event), () => `LOST: ${dev} dropped event ${event}, which the cloud does not hold`);
    }
    checkLogs(now, cloud, faults);
    if (!faults.silent && now.epoch === cloud.epoch && !now.reset && machine.hello) checkRows(now, cloud);
    must(faults.silent || now.sumResets === 0, () => `SUM: ${dev} differed at head without a silent rollback`);
  }

  /** After a step of the cloud: chains hold, one writer for each log, no version twice. */
  cloudMoved(before: Cloud): void {
    const { cloud } = this.#w;
    for (const [sid, row] of Object.entries(cloud.logs)) {
      let mac = rootOf(sid);
      let seq = 0;
      for (const seg of cloud.segs[sid] ?? []) {
        must(seg.from === seq + 1 && seg.prev === mac, `CLOUD: ${sid} segment ${seg.from} does not continue ${seq}`);
        for (const event of seg.events) mac = linkOf(mac, ++seq, event);
        must(seg.to === seq && seg.mac === mac, `CLOUD: ${sid} segment ends wrong`);
      }
      must(row.del || (row.last === seq && row.mac === mac), `CLOUD: ${sid} row says ${row.last}, segments ${seq}`);
      // For ever, also across restores of the cloud: a reader takes no other (V20).
      const writer = this.#writers.get(sid) ?? row.writer;
      this.#writers.set(sid, writer);
      must(row.writer === writer, `WRITER: ${sid} went from ${writer} to ${row.writer}`);
      const was = before.logs[sid];
      if (!was) continue;
      if (row.del && !was.del)
        for (const seg of before.segs[sid] ?? []) for (const event of seg.events) this.gone.add(eventIn(event));
    }
    const versions = [...Object.values(cloud.recs), ...Object.values(cloud.logs)].map((row) => row.ver);
    const unique = new Set(versions).size === versions.length;
    must(unique && Math.max(0, ...versions) <= cloud.head, "CLOUD: a version is used twice");
  }

  /** S35: nobody asks for events that nobody wants. */
  asked(machine: Machine, q: Request): void {
    if (q.t !== "segs") return;
    const view = machine.view();
    const log = view.logs[q.sid];
    must(log && isFetched(view, log), `FETCHED: ${q.dev} asks for ${q.sid}, which nobody follows there`);
  }

  /** The cloud must not accuse an honest device, nor accept a copy. */
  answered(machine: Machine, q: Request, p: Reply): void {
    const { cloud, faults } = this.#w;
    const copied = faults.local || faults.clone || machine.view().revoked || machine.boot !== q.boot;
    must(p.code !== "COPY" || copied, `ACCUSED: ${q.dev} is called a copy, but was never copied or restored`);
    if (q.t !== "push" || p.code !== "OK") return;
    must(
      faults.silent || q.boot === cloud.devs[q.dev]?.boot,
      `COPYWRITE: a write of ${q.dev} came under an old boot id`,
    );
    must(faults.silent || q.epoch === cloud.epoch, "OLDWRITE: a write made for another lineage was accepted");
    for (const { sid, code, row } of p.logs ?? []) {
      if (code === "OK")
        for (const event of q.logs.find((log) => log.sid === sid)?.events ?? []) this.ever.set(eventIn(event), sid);
      const held = machine.view().logs[sid];
      if (code !== "FORK" || !held || !row) continue;
      must(
        chainAt(held, row.last) !== row.mac,
        `ACCUSED: ${q.dev} ${sid} is called a fork, but its chain is the cloud's`,
      );
    }
    for (const { key, code, mac } of p.recs ?? []) {
      const sent = q.recs.find((rec) => `${rec.kind}:${rec.id}` === key);
      if (code !== "OK" || !sent) continue;
      if (sent.kind === "outcome" && cloud.recs[`command:${sent.id}`]?.del && sent.body.includes('"claimed"'))
        this.#withdrawn.add(sent.id);
      const name = `${key}:${sent.writer}:${sent.rev}`;
      const sealed = this.#sealed.get(name);
      // A silent restore may make a purged reset drop what the cloud lost, so that its rev begins anew.
      const known = faults.silent || faults.local || faults.clone || this.deleted.has(key);
      const once = sealed === undefined || sealed === mac || known;
      must(once, () => `RESEALED: ${key} rev ${sent.rev} of ${sent.writer} has two contents`);
      this.#sealed.set(name, mac);
    }
  }
}
