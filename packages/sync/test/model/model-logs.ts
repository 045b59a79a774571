import { needsSegments } from "./model-plan.ts";
import {
  appendEvent,
  chainAt,
  editRecord,
  isFetched,
  type ModelProcess,
  type ModelStore,
  newLog,
} from "./model-store.ts";
import { copyOf, eventIn, hash, keyIn, linkOf, type Rules } from "./rules.ts";
import type { HeldLog, LogResult, LogRow, Segment, SegmentsRequest } from "./shapes.ts";

/** S14: the row is what the cloud has; what follows from it is decided at head (T3). */
export function mergeLog(st: ModelStore, row: LogRow, rules: Rules): void {
  const log = (st.logs[row.sid] ??= newLog(row.sid, row.writer, false));
  if (log.row && row.ver <= log.row.ver) return;
  if (row.writer === st.dev) log.followed = true;
  if (!rules.keepRow && !isFetched(st, log)) return;
  log.row = copyOf(row);
  log.writer = row.writer;
}

/** The answer of the cloud to one pushed log. */
export function answerLog(st: ModelStore, result: LogResult, rules: Rules): void {
  const log = st.logs[result.sid];
  if (!log) return;
  if (!rules.have && result.code === "FORK") {
    if (!result.row || result.row.del) return;
    mergeLog(st, result.row, rules);
    cutTail(st, { log, at: Math.min(log.pushed, log.events.length) }, rules);
    return;
  }
  if (!rules.ackCas && result.code === "OK") log.pushed = Math.max(log.pushed, result.to);
  if (!rules.macFloor && result.code === "OK" && result.row) {
    log.row = copyOf(result.row);
    log.pushed = Math.max(log.pushed, result.to);
    return;
  }
  if (result.row) mergeLog(st, result.row, rules);
}

/** S17: what differs from the cloud leaves the log: an owner's waits, a former owner's forks, a reader's is an orphan. */
function cutTail(st: ModelStore, { log, at }: { log: HeldLog; at: number }, rules: Rules): void {
  const tail = log.events.slice(at).map((event) => event.id);
  if (tail.length === 0) return;
  if (log.writer === st.dev) log.side = [...tail, ...log.side];
  else if (log.mine) return forkTail(st, { log, at }, rules);
  else st.orphans.push(...tail.map((id) => ({ sid: log.sid, id })));
  log.events.length = at;
  log.pushed = Math.min(log.pushed, at);
  log.final = Math.min(log.final, at);
  log.rewound++;
}

/** S16: the fork's id is a function of device, session, place and first event, so a retry makes the same one. */
export function forkTail(st: ModelStore, { log, at }: { log: HeldLog; at: number }, rules: Rules): void {
  const ids = [...log.events.slice(at).map((event) => event.id), ...log.side];
  log.events.length = Math.min(at, log.events.length);
  log.side = [];
  log.mine = false;
  log.pushed = Math.min(log.pushed, at);
  log.final = Math.min(log.final, at);
  const first = ids[0];
  if (first === undefined || !rules.fork) return;
  let sid = `f${hash(log.sid, at, first, st.dev)}`;
  while (st.logs[sid]) sid = `f${hash(sid)}`;
  const fork = newLog(sid, st.dev, true);
  st.logs[sid] = fork;
  for (const id of ids) appendEvent(fork, id, st.key);
  editRecord(st, { kind: "session", id: sid, body: `fork of ${log.sid} at ${at}` });
}

/** S18, S19: segments of the cloud meet the own log. */
export function applySegments(
  st: ModelStore,
  { vol, q, segs }: { vol: ModelProcess; q: SegmentsRequest; segs: readonly Segment[] },
  rules: Rules,
): void {
  const log = st.logs[q.sid];
  if (!log || !needsSegments(st, log, rules)) return;
  const first = segs[0];
  if (!first || first.from > log.events.length + 1 || chainAt(log, first.from - 1) !== first.prev) {
    const at = first ? Math.min(first.from - 1, q.after) : q.after;
    vol.probe[log.sid] = Math.floor(Math.min(at, log.events.length) / 2);
    if (!first || q.after === 0) vol.atHead = false;
    return;
  }
  let mac = first.prev;
  let seq = first.from - 1;
  let changed = false;
  for (const seg of segs) {
    if (seg.from !== seq + 1 || seg.prev !== mac) break;
    for (const sealed of seg.events) {
      mac = linkOf(mac, ++seq, sealed);
      if (log.events[seq - 1]?.mac === mac) continue;
      changed = true;
      if (seq <= log.events.length) cutTail(st, { log, at: seq - 1 }, rules);
      if (seq !== log.events.length + 1) return;
      const id = eventIn(sealed);
      appendEvent(log, id, keyIn(sealed));
      log.side = log.side.filter((waiting) => waiting !== id);
      log.pushed = Math.max(log.pushed, log.events.length);
      log.final = Math.max(log.final, log.pushed);
    }
  }
  if (changed) delete vol.probe[log.sid];
  else vol.probe[log.sid] = seq;
}
