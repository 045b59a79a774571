import { sumOf } from "./model-cloud.ts";
import { answerLog, applySegments, mergeLog } from "./model-logs.ts";
import { answerRecord, mergeRecord } from "./model-records.ts";
import { heldRows, type ModelProcess, type ModelStore } from "./model-store.ts";
import type { Rules } from "./rules.ts";
import type { Page, PushRequest, Reply, Request } from "./shapes.ts";

/** One local transaction. */
export type Transaction = () => void;
interface Side {
  st: ModelStore;
  vol: ModelProcess;
  rules: Rules;
}

/** The reply to `q` as a list of transactions, in order; a crash may come between any two of them. */
export function onReply({ st, vol, rules }: Side, q: Request, p: Reply): Transaction[] {
  const side = { st, vol, rules };
  switch (p.code) {
    case "REVOKED":
      return [() => void (st.revoked = true)];
    case "UNKNOWN":
      return [() => void ((st.mode = "register"), (vol.hello = false))];
    case "BOOT":
      return [() => void (q.boot === vol.boot && q.dev === st.dev && (vol.hello = false))];
    case "COPY":
      return q.dev === st.dev ? [() => void (st.copy = { seen: p.seen ?? "" })] : [];
    case "RESET":
      return [() => startReset(side, { gen: q.gen, reason: p.reason ?? "lineage", epoch: p.epoch ?? "" })];
    case "GONE":
      return [() => void (vol.atHead = false)];
  }
  if (q.t === "hello") return q.dev === st.dev && q.boot === vol.boot ? [() => acceptHello(side, q.boot, p)] : [];
  if (q.t === "segs")
    return [() => void (q.gen === st.gen && applySegments(st, { vol, q, segs: p.segs ?? [] }, rules))];
  if (q.t === "compact") return [() => void (vol.compact = null)];
  const { page } = p;
  const paging = page ? [() => applyPage(side, q.gen, page)] : [];
  return q.t === "push" ? [...answers(side, q, p), ...paging] : paging;
}

function acceptHello({ st, vol, rules }: Side, boot: string, p: Reply): void {
  st.acked = boot;
  st.mode = undefined;
  st.seen = undefined;
  vol.hello = true;
  if (p.epoch === st.epoch) return;
  // The first hello of a database begins no new lineage: nothing of an older one can be lost.
  const reason = st.epoch === "" ? "purged" : "lineage";
  startReset({ st, vol, rules }, { gen: st.gen, reason, epoch: p.epoch ?? "" });
}

function answers(side: Side, q: PushRequest, p: Reply): Transaction[] {
  const { st, vol, rules } = side;
  const logs = (p.logs ?? []).map((result) => () => {
    if (q.gen !== st.gen) return;
    if (!result.row && rules.top) return startReset(side, { gen: q.gen, reason: "lineage", epoch: st.epoch });
    if (result.code !== "OK") vol.atHead = false;
    answerLog(st, result, rules);
  });
  const recs = (p.recs ?? []).map((result) => () => {
    if (q.gen !== st.gen || q.dev !== st.dev) return;
    if (result.code !== "OK") vol.atHead = false;
    answerRecord(st, result, rules);
  });
  return [...logs, ...recs];
}

/** S10: everything the cloud said is forgotten; what is held here stays. */
function startReset(
  { st, vol, rules }: Side,
  { gen, reason, epoch }: { gen: number; reason: "lineage" | "purged"; epoch: string },
): void {
  if (gen !== st.gen) return;
  const kept = rules.sticky && st.reset?.reason === "lineage" ? "lineage" : reason;
  st.gen++;
  st.epoch = epoch;
  st.cursor = 0;
  st.reset = { since: null, reason: kept };
  vol.atHead = false;
  vol.probe = {};
  for (const rec of Object.values(st.recs)) {
    if (rules.unseen) rec.base = null;
    else rec.unseen = true;
  }
  if (!rules.unseen) return;
  for (const log of Object.values(st.logs)) {
    log.row = null;
    if (log.writer === st.dev) log.pushed = 0;
  }
}

/** S8: a page and its cursor in one transaction. */
function applyPage(side: Side, gen: number, page: Page): void {
  const { st, vol, rules } = side;
  if (rules.pageCas && (gen !== st.gen || page.from !== st.cursor)) return;
  vol.now = page.now;
  if (st.reset && st.reset.since === null) st.reset.since = page.head;
  const lineage = st.reset?.reason === "lineage";
  for (const row of page.rows) {
    if (row.what === "log") {
      mergeLog(st, row, rules);
      continue;
    }
    const { what: _, ...record } = row;
    const key = `${row.kind}:${row.id}`;
    const held = st.recs[key];
    if (held) held.unseen = false;
    if (!(held?.base && row.ver <= held.base.ver)) mergeRecord(st, { key, row: record, lineage }, rules);
  }
  st.cursor = page.next;
  if (page.more) return;
  vol.atHead = true;
  if (st.reset) sweep(side, lineage);
  if (rules.sum && page.sum !== undefined) checkSum(side, page);
}

function sweep({ st, rules }: Side, lineage: boolean): void {
  for (const [key, rec] of Object.entries(st.recs)) {
    if (!(rules.unseen ? !rec.base : rec.unseen)) continue;
    if (rules.sweepGuard) mergeRecord(st, { key, row: null, lineage }, rules);
    else delete st.recs[key];
  }
  st.reset = null;
}

function checkSum(side: Side, page: Page): void {
  const rows = heldRows(side.st);
  if (rows.some((row) => row.ver > page.head) || sumOf(rows) === page.sum) return;
  side.st.sumResets++;
  startReset(side, { gen: side.st.gen, reason: "lineage", epoch: side.st.epoch });
}
