import { copyOf, type Rules, rootOf } from "./rules.ts";
import type {
  Cloud,
  LogResult,
  LogRow,
  PushedLog,
  PushedRecord,
  PushRequest,
  RecordResult,
  RecordRow,
} from "./shapes.ts";

/** Kinds that every device of the account may write. */
export const SHARED_KINDS: ReadonlySet<string> = new Set(["pref"]);

/** Tables T1 and T1b: versions are given last, under the account's lock. */
export function handlePush(cloud: Cloud, q: PushRequest, rules: Rules): { logs: LogResult[]; recs: RecordResult[] } {
  const touched: (LogRow | RecordRow)[] = [];
  const logs = [...q.logs]
    .sort((a, b) => (a.sid < b.sid ? -1 : 1))
    .map((log): LogResult => {
      const { code, row } = pushLog(cloud, { log, dev: q.dev, touched }, rules);
      return { sid: log.sid, code, to: log.from + log.events.length - 1, row };
    });
  const recs = q.recs.map((rec): RecordResult => {
    const code = pushRecord(cloud, { rec, dev: q.dev, touched }, rules);
    const key = `${rec.kind}:${rec.id}`;
    return { key, code, mac: rec.mac, row: cloud.recs[key] ?? null };
  });
  for (const row of touched) row.ver = ++cloud.head;
  return { logs: copyOf(logs), recs: copyOf(recs) };
}

function pushLog(
  cloud: Cloud,
  { log, dev, touched }: { log: PushedLog; dev: string; touched: LogRow[] | (LogRow | RecordRow)[] },
  rules: Rules,
): { code: string; row: LogRow | null } {
  let row = cloud.logs[log.sid] ?? null;
  if (!row && log.from !== 1) return { code: "HAVE", row };
  if (!row) {
    row = { sid: log.sid, writer: dev, last: 0, mac: rootOf(log.sid), ver: 0, del: false };
    cloud.logs[log.sid] = row;
    cloud.segs[log.sid] = [];
  }
  const segs = (cloud.segs[log.sid] ??= []);
  const to = log.from + log.events.length - 1;
  if (row.del) return { code: "GONE", row };
  if (rules.fence && row.writer !== dev) return { code: "FENCED", row };
  if (log.del) {
    row.del = true;
    cloud.segs[log.sid] = [];
    touched.push(row);
    return { code: "OK", row };
  }
  if (log.from === row.last + 1 && (!rules.macFloor || log.prev === row.mac)) {
    if (log.events.length > 0) {
      segs.push({ from: log.from, to, prev: log.prev, mac: log.mac, events: [...log.events] });
      row.last = to;
      row.mac = log.mac;
    }
    touched.push(row);
    return { code: "OK", row };
  }
  if (!rules.macFloor && to <= row.last) return { code: "OK", row };
  if (!rules.have && to <= row.last)
    return { code: segs.some((seg) => seg.to === to && seg.mac === log.mac) ? "OK" : "FORK", row };
  return { code: to === row.last && log.mac === row.mac ? "OK" : "HAVE", row };
}

function pushRecord(
  cloud: Cloud,
  { rec, dev, touched }: { rec: PushedRecord; dev: string; touched: (LogRow | RecordRow)[] },
  rules: Rules,
): string {
  const key = `${rec.kind}:${rec.id}`;
  const row = cloud.recs[key];
  // A shared record that is sent again keeps the writer that sealed it.
  const foreign = rec.writer !== dev || (row !== undefined && row.writer !== dev);
  if (rules.writerKind && !SHARED_KINDS.has(rec.kind) && foreign) return "FORBIDDEN";
  if (rec.base !== (row?.ver ?? 0)) return "CONFLICT";
  const { kind, id, rev, body, del, mac, writer } = rec;
  const next: RecordRow = { kind, id, rev, body, del, mac, writer, at: cloud.now, ver: 0 };
  cloud.recs[key] = next;
  touched.push(next);
  return "OK";
}
