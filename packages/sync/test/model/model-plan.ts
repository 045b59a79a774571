import { chainAt, heldRows, isFetched, type ModelProcess, type ModelStore, mayWrite } from "./model-store.ts";
import { hash, type Rules, sealedName } from "./rules.ts";
import type { HeldLog, PushedLog, PushedRecord, Request } from "./shapes.ts";

/** The own chain agrees with the whole log of the cloud. */
export function isPrefix(log: HeldLog): boolean {
  return (
    log.row !== null && !log.row.del && log.row.last <= log.events.length && chainAt(log, log.row.last) === log.row.mac
  );
}

export function needsSegments(st: ModelStore, log: HeldLog, rules: Rules): boolean {
  if (log.dead || log.row === null || log.row.del || isPrefix(log)) return false;
  return !rules.lazy || isFetched(st, log);
}

function isSendable(st: ModelStore, log: HeldLog): boolean {
  if (log.writer !== st.dev) return false;
  if (log.dead) return log.row !== null && !log.row.del;
  if (log.row ? !isPrefix(log) || log.row.last !== log.pushed : log.pushed !== 0) return false;
  return log.events.length > log.pushed;
}

/** Table T2: what to send next; null means wait. */
export function planNext(st: ModelStore, vol: ModelProcess, rules: Rules): Request | null {
  const from = { dev: st.dev, boot: vol.boot, gen: st.gen };
  const limit = 3;
  if (st.revoked || st.copy) return null;
  if (!vol.hello) return { t: "hello", ...from, boots: [...st.boots], prev: st.acked, mode: st.mode, seen: st.seen };
  const top = Math.max(st.cursor, ...heldRows(st).map((row) => row.ver));
  const pull: Request = {
    t: "pull",
    ...from,
    epoch: st.epoch,
    cursor: st.cursor,
    since: st.reset ? st.reset.since : st.cursor,
    top: rules.top ? top : st.cursor,
    limit,
  };
  if ((rules.pullFirst && !vol.atHead) || st.reset) return pull;
  for (const log of Object.values(st.logs))
    if (needsSegments(st, log, rules)) {
      const near = Math.min(log.events.length, Math.max(0, (log.row?.last ?? 0) - 1));
      return { t: "segs", ...from, sid: log.sid, after: vol.probe[log.sid] ?? near, limit };
    }
  const logs = Object.values(st.logs)
    .filter((log) => isSendable(st, log))
    .slice(0, 2)
    .map((log) => pushed(log, limit));
  const recs = Object.values(st.recs)
    .filter((rec) => rec.dirty && mayWrite(st, rec))
    .slice(0, limit)
    .map((rec): PushedRecord => {
      const { kind, id, rev, body, del, mac, writer } = rec;
      return { kind, id, rev, body, del, mac, writer, base: rec.base?.ver ?? 0 };
    });
  if (logs.length + recs.length > 0)
    return { t: "push", ...from, epoch: st.epoch, logs, recs, cursor: st.cursor, since: st.cursor, limit };
  if (!vol.atHead) return pull;
  return vol.compact ? { t: "compact", ...from, ...vol.compact } : null;
}

function pushed(log: HeldLog, limit: number): PushedLog {
  const events = log.events.slice(log.pushed, log.pushed + limit).map(({ id, key }) => sealedName(id, key));
  return {
    sid: log.sid,
    from: log.pushed + 1,
    prev: chainAt(log, log.pushed) ?? "",
    events,
    mac: chainAt(log, log.pushed + events.length) ?? "",
    del: log.dead,
  };
}

/** S23: dirty records are sealed, in a transaction of their own, before the first send. */
export function sealRecords(st: ModelStore, vol: ModelProcess, rules: Rules): void {
  for (const rec of Object.values(st.recs))
    if (rec.dirty && mayWrite(st, rec) && (!rec.mac || !rules.sealedOnce))
      rec.mac = hash("rec", rec.kind, rec.id, rec.rev, rec.body, st.dev, vol.boot, vol.nonce++);
}
