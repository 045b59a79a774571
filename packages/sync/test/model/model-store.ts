import { SHARED_KINDS } from "./model-cloud-push.ts";
import { linkOf, rootOf, sealedName } from "./rules.ts";
import type { CompactRequest, HeldLog, HeldRecord, PageRow, Request } from "./shapes.ts";

/** What a device's database holds. */
export interface ModelStore {
  dev: string;
  /** The key epoch under which it seals. */
  key: number;
  boots: string[];
  acked: string | null;
  revoked: boolean;
  copy: { seen: string } | null;
  mode?: "register" | "adopt" | undefined;
  seen?: string | undefined;
  epoch: string;
  cursor: number;
  gen: number;
  reset: { since: number | null; reason: "lineage" | "purged" } | null;
  recs: Record<string, HeldRecord>;
  logs: Record<string, HeldLog>;
  applied: Record<string, "done" | "refused">;
  orphans: { sid: string; id: string }[];
  sumResets: number;
}

/** What one process of the device holds in memory. */
export interface ModelProcess {
  boot: string;
  hello: boolean;
  atHead: boolean;
  now: number;
  nonce: number;
  probe: Record<string, number>;
  open: Record<string, Request>;
  /** The key has changed: what was never acknowledged is to be chained anew. */
  rechain: boolean;
  compact: Pick<CompactRequest, "sid" | "from" | "to" | "prev" | "mac"> | null;
}

export function newStore(dev: string): ModelStore {
  return {
    dev,
    key: 0,
    boots: [],
    acked: null,
    revoked: false,
    copy: null,
    mode: "register",
    epoch: "",
    cursor: 0,
    gen: 0,
    reset: null,
    recs: {},
    logs: {},
    applied: {},
    orphans: [],
    sumResets: 0,
  };
}

export function newProcess(boot: string): ModelProcess {
  return { boot, hello: false, atHead: false, now: 0, nonce: 0, probe: {}, open: {}, rechain: false, compact: null };
}

export function newLog(sid: string, writer: string, mine: boolean): HeldLog {
  return {
    sid,
    writer,
    mine,
    followed: false,
    dead: false,
    row: null,
    events: [],
    pushed: 0,
    final: 0,
    side: [],
    rewound: 0,
  };
}

/** S35: its events are wanted here. */
export const isFetched = (st: Pick<ModelStore, "dev">, log: HeldLog): boolean =>
  log.writer === st.dev || log.mine || log.followed;

/** Own chain value after event n, or null beyond the end. */
export function chainAt(log: HeldLog, n: number): string | null {
  return n === 0 ? rootOf(log.sid) : (log.events[n - 1]?.mac ?? null);
}

export function appendEvent(log: HeldLog, id: string, key: number): void {
  const seq = log.events.length + 1;
  log.events.push({ id, key, mac: linkOf(chainAt(log, seq - 1) ?? "", seq, sealedName(id, key)) });
}

/** S17: an event of the owner; while the log is catching up it waits. */
export function appendLocal(log: HeldLog, id: string, key: number): void {
  log.mine = true;
  if (log.side.length > 0) log.side.push(id);
  else appendEvent(log, id, key);
}

/** A person or the program changes a record; it is sealed when it is sent. */
export function editRecord(st: ModelStore, change: Pick<HeldRecord, "kind" | "id" | "body"> & { del?: boolean }): void {
  const key = `${change.kind}:${change.id}`;
  const held = st.recs[key];
  st.recs[key] = {
    kind: change.kind,
    id: change.id,
    body: change.body,
    del: change.del ?? false,
    rev: (held?.rev ?? 0) + 1,
    mac: "",
    writer: held && !SHARED_KINDS.has(held.kind) ? held.writer : st.dev,
    base: held?.base ?? null,
    dirty: "edit",
  };
}

/** S3: this copy becomes a device of its own. What nobody else can write any more falls back to the cloud's row. */
export function becomeNew(st: ModelStore, vol: ModelProcess | null, dev: string): void {
  for (const [key, rec] of Object.entries(st.recs)) {
    if (!rec.dirty || SHARED_KINDS.has(rec.kind) || rec.writer !== st.dev) continue;
    if (rec.kind === "command" && !rec.base) Object.assign(rec, { writer: dev, mac: "" });
    else if (rec.base) st.recs[key] = { ...rec.base, base: rec.base, dirty: "" };
    else if (rec.dirty === "edit") delete st.recs[key];
  }
  Object.assign(st, { dev, boots: [], acked: null, copy: null, mode: "register" });
  if (vol) vol.hello = vol.atHead = false;
}

/** The cloud's rows that this store holds. */
export function heldRows(st: ModelStore): PageRow[] {
  const recs = Object.values(st.recs).flatMap((rec) => (rec.base ? [{ ...rec.base, what: "rec" as const }] : []));
  const logs = Object.values(st.logs).flatMap((log) => (log.row ? [{ ...log.row, what: "log" as const }] : []));
  return [...recs, ...logs];
}

export const mayWrite = (st: ModelStore, rec: HeldRecord): boolean =>
  SHARED_KINDS.has(rec.kind) || rec.writer === st.dev;
