import { must } from "./broken.ts";
import type { View } from "./machine.ts";
import { eventIn, linkOf, rootOf, sealedName } from "./rules.ts";
import type { Cloud } from "./shapes.ts";
import type { Faults } from "./world.ts";

/** Every event that lies on a device, in a log, waiting or as an orphan, with its session. */
export function eventsOf(view: View): Map<string, string> {
  const found = new Map<string, string>();
  for (const log of Object.values(view.logs)) {
    for (const event of log.events) found.set(event.id, log.sid);
    for (const id of log.side) found.set(id, log.sid);
  }
  for (const orphan of view.orphans) found.set(orphan.id, orphan.sid);
  return found;
}

/** Chains verify, no event stands twice, and what is called final is the cloud's history. */
export function checkLogs(view: View, cloud: Cloud, faults: Faults): void {
  for (const log of Object.values(view.logs)) {
    const where = `${log.sid} on ${view.dev}`;
    const seen = new Set<string>();
    let mac = rootOf(log.sid);
    for (const [i, event] of log.events.entries()) {
      mac = linkOf(mac, i + 1, sealedName(event.id, event.key));
      must(mac === event.mac, () => `CHAIN: ${where} seq ${i + 1}`);
      must(!seen.has(event.id), () => `DOUBLE: event ${event.id} twice in ${where}`);
      seen.add(event.id);
    }
    must(log.pushed <= log.events.length, () => `FINAL: pushed ${log.pushed} of ${log.events.length} in ${where}`);
    const row = cloud.logs[log.sid];
    if (faults.cloud || log.dead || !row || row.del) continue;
    const final = (cloud.segs[log.sid] ?? []).flatMap((seg) => seg.events.map(eventIn));
    for (let i = 0; i < log.pushed; i++)
      must(final[i] === log.events[i]?.id, () => `FINAL: ${where} shows other content at ${i + 1} than the cloud`);
  }
}

/** A cursor never skips: each row at or below it is held. */
export function checkRows(view: View, cloud: Cloud): void {
  for (const row of Object.values(cloud.recs)) {
    if (row.ver > view.cursor || row.del) continue;
    const held = view.recs[`${row.kind}:${row.id}`]?.base?.ver ?? 0;
    must(held >= row.ver, () => `SKIP: ${view.dev} at ${view.cursor} misses ${row.kind}:${row.id} v${row.ver}`);
  }
  for (const row of Object.values(cloud.logs)) {
    if (row.ver > view.cursor) continue;
    const held = view.logs[row.sid]?.row?.ver ?? 0;
    must(held >= row.ver, () => `SKIP: ${view.dev} at ${view.cursor} misses log ${row.sid} v${row.ver}`);
  }
}
