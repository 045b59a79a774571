import { handlePush } from "./model-cloud-push.ts";
import { copyOf, hash, type Rules } from "./rules.ts";
import type {
  Cloud,
  CompactRequest,
  HelloRequest,
  Page,
  PageRow,
  PullRequest,
  Reply,
  Request,
  SegmentsRequest,
} from "./shapes.ts";

/** An account without anything in it. */
export function newCloud(epoch: string): Cloud {
  return { epoch, head: 0, purged: 0, now: 0, devs: {}, recs: {}, logs: {}, segs: {} };
}

/** One request changes the cloud in one step, as one SQL statement does, and is answered. Tables T1, T1b, T1c, T1d. */
export function handle(cloud: Cloud, q: Request, rules: Rules): Reply {
  if (q.t === "hello") return hello(cloud, q, rules);
  const device = cloud.devs[q.dev];
  if (!device) return { code: "UNKNOWN" };
  if (device.revoked) return { code: "REVOKED" };
  if (q.t === "pull") return pull(cloud, q, rules);
  if (q.t === "segs") return segments(cloud, q);
  if (rules.bootOnPush && device.boot !== q.boot) return { code: "BOOT" };
  if (q.t === "compact") return compact(cloud, q);
  if (rules.epochOnPush && q.epoch !== cloud.epoch) return { code: "RESET", reason: "lineage", epoch: cloud.epoch };
  const results = handlePush(cloud, q, rules);
  const fresh = rules.since ? q.since >= cloud.purged : q.cursor >= cloud.purged || q.cursor === 0;
  const page = fresh && q.cursor <= cloud.head ? pageOf(cloud, q, rules) : undefined;
  return { code: "OK", ...results, page };
}

function hello(cloud: Cloud, q: HelloRequest, rules: Rules): Reply {
  const device = cloud.devs[q.dev];
  if (!device) {
    if (q.mode !== "register") return { code: "UNKNOWN" };
    cloud.devs[q.dev] = { boot: q.boot };
    return { code: "OK", epoch: cloud.epoch };
  }
  if (device.revoked) return { code: "REVOKED" };
  const known = rules.ancestry ? q.boots.includes(device.boot) : device.boot === q.prev;
  if (!known && !(q.mode === "adopt" && q.seen === device.boot)) return { code: "COPY", seen: device.boot };
  device.boot = q.boot;
  return { code: "OK", epoch: cloud.epoch };
}

function pull(cloud: Cloud, q: PullRequest, rules: Rules): Reply {
  const lineage: Reply = { code: "RESET", reason: "lineage", epoch: cloud.epoch };
  if (q.epoch !== cloud.epoch || Math.max(q.cursor, q.top) > cloud.head) return lineage;
  const purged = rules.since ? q.since !== null && q.since < cloud.purged : q.cursor > 0 && q.cursor < cloud.purged;
  if (purged) return { code: "RESET", reason: "purged", epoch: cloud.epoch };
  return { code: "OK", page: pageOf(cloud, q, rules) };
}

/** Every row of the feed. */
export function feedOf(cloud: Cloud): PageRow[] {
  return [
    ...Object.values(cloud.recs).map((row) => ({ ...row, what: "rec" as const })),
    ...Object.values(cloud.logs).map((row) => ({ ...row, what: "log" as const })),
  ];
}

/** Stands for the XOR of S11: equal sets of live rows give equal texts. */
export function sumOf(rows: readonly PageRow[]): string {
  const one = (row: PageRow): string =>
    row.what === "log"
      ? hash("L", row.sid, row.ver, row.last, row.mac, row.writer)
      : hash("R", row.kind, row.id, row.ver, row.mac);
  return rows
    .filter((row) => !row.del)
    .map(one)
    .sort()
    .join(",");
}

function pageOf(cloud: Cloud, q: Pick<PullRequest, "cursor" | "limit" | "older">, rules: Rules): Page {
  const newer = (row: PageRow): boolean => row.ver > q.cursor;
  const byVersion = (a: PageRow, b: PageRow): number => a.ver - b.ver;
  // Two statements: the records were read a moment earlier.
  const source = q.older && !rules.oneSnap ? q.older : cloud;
  const recs = feedOf(source)
    .filter((row) => row.what === "rec" && newer(row))
    .sort(byVersion)
    .slice(0, q.limit);
  const logs = feedOf(cloud)
    .filter((row) => row.what === "log" && newer(row))
    .sort(byVersion)
    .slice(0, q.limit);
  const all = [...recs, ...logs].sort(byVersion);
  const more = recs.length === q.limit || logs.length === q.limit || all.length > q.limit;
  const rows = rules.cutUnion ? all.slice(0, q.limit) : all;
  const next = rows.at(-1)?.ver ?? q.cursor;
  const sum = more ? undefined : sumOf(feedOf(cloud));
  return { from: q.cursor, rows: copyOf(rows), next, more, head: cloud.head, now: cloud.now, sum };
}

function segments(cloud: Cloud, q: SegmentsRequest): Reply {
  const row = cloud.logs[q.sid];
  if (!row || row.del) return { code: "GONE" };
  const from = (cloud.segs[q.sid] ?? []).filter((seg) => seg.to > q.after);
  return { code: "OK", segs: copyOf(from.slice(0, q.limit)) };
}

function compact(cloud: Cloud, q: CompactRequest): Reply {
  const row = cloud.logs[q.sid];
  if (!row || row.del || row.writer !== q.dev) return { code: "FENCED" };
  const all = cloud.segs[q.sid] ?? [];
  const run = all.filter((seg) => seg.from >= q.from && seg.to <= q.to);
  const first = run[0];
  const last = run.at(-1);
  const tiles = first?.from === q.from && last?.to === q.to && first.prev === q.prev && last.mac === q.mac;
  if (!tiles) return { code: "RANGE" };
  const one = { from: q.from, to: q.to, prev: q.prev, mac: q.mac, events: run.flatMap((seg) => seg.events) };
  cloud.segs[q.sid] = [...all.filter((seg) => seg.to < q.from), one, ...all.filter((seg) => seg.from > q.to)];
  return { code: "OK" };
}

/** Record tombstones up to a version go; rows of deleted logs only when S12 is switched off. */
export function purge(cloud: Cloud, upTo: number, rules: Rules): void {
  for (const [key, row] of Object.entries(cloud.recs)) if (row.del && row.ver <= upTo) delete cloud.recs[key];
  if (!rules.logTomb)
    for (const [sid, row] of Object.entries(cloud.logs))
      if (row.del && row.ver <= upTo) {
        delete cloud.logs[sid];
        delete cloud.segs[sid];
      }
  cloud.purged = Math.max(cloud.purged, upTo);
}
