import { must } from "./broken.ts";
import type { Machine, View } from "./machine.ts";
import { feedOf, sumOf } from "./model-cloud.ts";
import { SHARED_KINDS } from "./model-cloud-push.ts";
import { chainAt, isFetched } from "./model-store.ts";
import { eventIn } from "./rules.ts";
import type { HeldRecord } from "./shapes.ts";
import type { World } from "./world.ts";

/** All faults end: everybody must come to rest within a bounded number of messages, and agree (P4). */
export async function heal(w: World): Promise<void> {
  w.log("--- heal");
  w.net = [];
  for (let round = 0; round < 3; round++) {
    await settleAll(w);
    const held = new Set(w.living().map((machine) => machine.view().dev));
    for (const [dev, device] of Object.entries(w.cloud.devs)) if (!held.has(dev)) device.revoked = true;
  }
  for (const machine of w.living()) checkMachine(w, machine);
  checkEvents(w);
  checkCommands(w);
  await followAll(w);
}

/** S35: what nobody looked at until now is opened everywhere: all of it is fetched, and agrees. */
async function followAll(w: World): Promise<void> {
  for (const machine of w.living())
    for (const { sid, writer } of Object.values(w.cloud.logs))
      if (!machine.view().logs[sid]?.followed) await machine.change({ do: "follow", sid, writer });
  await settleAll(w);
  for (const machine of w.living()) checkMachine(w, machine);
}

async function settleAll(w: World): Promise<void> {
  for (let k = 0; k < 40; k++) {
    let busy = false;
    for (const machine of w.machines) busy = (await drain(w, machine)) || busy;
    if (!busy) return;
    must(k < 39, "LIVELOCK: no rest after 40 rounds");
  }
}

/** Lets one machine exchange until it waits; true when it sent anything but the first pull. */
async function drain(w: World, machine: Machine): Promise<boolean> {
  if (machine.view().revoked) return false;
  machine.off = 0;
  machine.start();
  machine.forget("all");
  if (machine.view().copy) await machine.change({ do: "new-device", dev: w.newId("D") });
  machine.poke();
  let busy = false;
  for (let i = 0; i < 400; i++) {
    const next = await machine.wants();
    if (next === null) break;
    busy ||= next !== "pull";
    await w.go(machine);
  }
  const left = await machine.wants();
  const rest = left === null || machine.view().copy !== null;
  must(rest, () => `LIVELOCK: ${machine.view().dev} still wants ${left} after 400 messages`);
  return busy;
}

function checkMachine(w: World, machine: Machine): void {
  const view = machine.view();
  const rows = [
    ...Object.values(view.recs).flatMap((rec) => (rec.base ? [{ ...rec.base, what: "rec" as const }] : [])),
    ...Object.values(view.logs).flatMap((log) => (log.row ? [{ ...log.row, what: "log" as const }] : [])),
  ];
  must(!view.reset && machine.atHead, `REST: ${view.dev} is not at head`);
  must(sumOf(rows) === sumOf(feedOf(w.cloud)), `DIVERGED: rows of ${view.dev} differ from the cloud`);
  for (const [key, rec] of Object.entries(view.recs)) checkRecord(w, { view, key, rec });
  checkHeldLogs(w, view);
  must(view.orphans.length === 0 || w.faults.cloud, `ORPHAN: ${view.dev} without a fault of the cloud`);
}

function checkRecord(w: World, { view, key, rec }: { view: View; key: string; rec: HeldRecord }): void {
  const { faults } = w;
  const foreign = !SHARED_KINDS.has(rec.kind) && rec.writer !== view.dev;
  if (rec.dirty === "salvage" && foreign) {
    // Kept after a restore of the cloud, until its writer sends it again; one that deleted it never does.
    const writer = w.living().find((machine) => machine.view().dev === rec.writer);
    const behind = (w.cloud.recs[key]?.rev ?? 0) < rec.rev;
    const held = writer?.view().recs[key];
    const unsent = writer === undefined || held === undefined || held.del || faults.local || faults.clone;
    // A tombstone adds nothing to the sum, so one that a silent restore put below the cursor is not found.
    must(faults.silent || (behind && faults.cloud && unsent), `KEPT: ${view.dev} keeps ${key}`);
    return;
  }
  must(!rec.dirty, `DIRTY: ${view.dev} ${key} never left (${rec.dirty})`);
  if (!rec.del) must(w.cloud.recs[key]?.mac === rec.mac, `DIVERGED: ${key} on ${view.dev}`);
}

function checkHeldLogs(w: World, view: View): void {
  for (const log of Object.values(view.logs)) {
    const where = `${log.sid} on ${view.dev}`;
    const row = w.cloud.logs[log.sid];
    must(log.side.length === 0, `REST: ${where} still holds a waiting tail`);
    if (log.dead) {
      must(!row || row.del || log.writer !== view.dev, `ZOMBIE: ${where} is deleted, and lives in the cloud`);
      continue;
    }
    if (!row) {
      must(log.events.length === 0 || (w.faults.cloud && !log.mine), `DIVERGED: ${where} is not in the cloud`);
      continue;
    }
    // Of a log that nobody follows only the newest row is kept.
    if (!isFetched(view, log)) continue;
    const agrees = row.last <= log.events.length && chainAt(log, row.last) === row.mac;
    must(agrees, () => `DIVERGED: ${where}: ${log.events.length} events, cloud ${row.last}`);
    const reader = w.faults.cloud && log.writer !== view.dev;
    must(
      log.events.length === row.last || reader,
      () => `UNSENT: ${where} keeps ${log.events.length - row.last} events`,
    );
  }
}

function checkEvents(w: World): void {
  const { cloud, faults, oracle } = w;
  const where = new Map<string, string>();
  for (const [sid, segs] of Object.entries(cloud.segs))
    for (const event of segs.flatMap((seg) => seg.events.map(eventIn))) {
      const other = where.get(event);
      const known = faults.cloud || faults.clone || faults.local;
      must(other === undefined || known, `DOUBLE: event ${event} in ${other} and ${sid}`);
      where.set(event, sid);
    }
  if (faults.cloud) return;
  for (const [event, sid] of oracle.ever) {
    const kept = where.has(event) || oracle.gone.has(event) || oracle.goneSid.has(sid);
    must(kept, `LOST: acknowledged event ${event} is nowhere`);
  }
}

/** P5: a command whose target lives is answered, and the answer is true. */
function checkCommands(w: World): void {
  const { recs } = w.cloud;
  const living = new Set(w.living().map((machine) => machine.view().dev));
  for (const command of Object.values(recs)) {
    if (command.kind !== "command") continue;
    const outcome = recs[`outcome:${command.id}`];
    const state = outcome ? (JSON.parse(outcome.body) as { state: string }).state : null;
    const { target } = JSON.parse(command.body) as { target: string };
    const ran = w.oracle.runs.get(command.id) ?? 0;
    if (living.has(target)) {
      const answered = state !== "claimed" && (state !== null || command.del);
      must(answered, `COMMAND: ${command.id} is ${state ?? "pending"} for ever`);
    }
    if (w.faults.cloud) continue;
    const honest = ran > 0 ? state === "done" || state === "in_doubt" || !living.has(target) : state !== "done";
    must(honest, `COMMAND: ${command.id} ran ${ran} times, reported ${state}`);
  }
}
