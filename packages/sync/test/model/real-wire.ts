import type {
  CompactReply,
  CompactRequest,
  HelloReply,
  HelloRequest,
  LogRow,
  PullPage,
  PullRequest,
  PushReply,
  PushRequest,
  RecordRow,
  Segment,
  SegmentsReply,
  SyncRefusal,
  SyncReset,
} from "@codehands/contracts";
import { LOG_KINDS } from "@codehands/contracts";
import type { CloudPort } from "../../src/ports/cloud-port.ts";
import type * as Model from "./shapes.ts";
import { idOf, KINDS, kindName, macOf, nameOf, nameOfMac } from "./wire-names.ts";

const HOUR_MS = 3_600_000;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** What a sealed record says in the model world: its header and its body. */
export interface Item {
  kind: number;
  id: string;
  rev: number;
  deleted: boolean;
  writer: string;
  body: string;
}
export interface WireContext {
  dev: () => string;
  items: Map<string, string>;
  ask: (q: Model.Request) => Promise<Model.Reply>;
}

/** The cloud of the model world behind the port that the real client loop speaks to. */
export function modelCloudPort({ dev, items, ask }: WireContext): CloudPort {
  const sender = (boot = ""): { dev: string; boot: string; gen: number } => ({ dev: dev(), boot, gen: 0 });
  return {
    async hello(q: HelloRequest): Promise<HelloReply> {
      const { boots, boot, mode, seen } = q;
      const p = await ask({ t: "hello", ...sender(boot), boots, prev: null, mode, seen });
      if (p.code === "OK") return { answer: "OK", epoch: p.epoch ?? "" };
      return p.code === "COPY" ? { answer: "COPY", seen: p.seen ?? "" } : refusal(p);
    },
    async pull(q: PullRequest): Promise<PullPage | SyncReset | SyncRefusal> {
      const p = await ask({ t: "pull", ...sender(), ...q });
      return p.page ? pageOut(p.page, items) : without(p);
    },
    async push(q: PushRequest, blob: Uint8Array): Promise<PushReply | SyncReset | SyncRefusal> {
      const p = await ask(pushIn(q, blob, sender(q.boot)));
      if (!p.logs || !p.recs) return without(p);
      const logs = q.logs.map(({ streamId }) => p.logs?.find((one) => one.sid === nameOf(streamId)));
      return {
        logs: logs.map((one) => ({ code: (one?.code ?? "HAVE") as "OK", row: one?.row ? logOut(one.row) : null })),
        records: p.recs.map(({ code, row }) => ({ code: code as "OK", row: row ? recordOut(row, items) : null })),
        ...(p.page ? { page: pageOut(p.page, items) } : {}),
      };
    },
    async segments(q): Promise<SegmentsReply | SyncRefusal> {
      const after = "after" in q ? q.after : 0;
      const p = await ask({ t: "segs", ...sender(), sid: nameOf(q.streamId), after, limit: q.limit });
      if (p.code === "GONE") return { gone: true };
      if (!p.segs) return refusal(p);
      return { segments: p.segs.map((seg) => segmentOut(q.streamId, seg)) };
    },
    async compact(q: CompactRequest): Promise<CompactReply | SyncRefusal> {
      const sid = nameOf(q.streamId);
      const [prev, mac] = [nameOfMac(sid, q.prevMac), nameOfMac(sid, q.mac)];
      const p = await ask({ t: "compact", ...sender(q.boot), sid, from: q.from, to: q.to, prev, mac });
      if (p.code === "OK" || p.code === "FENCED" || p.code === "RANGE") return { code: p.code };
      return p.code === "BOOT" ? { reset: "boot" } : refusal(p);
    },
  };
}

function refusal(p: Model.Reply): SyncRefusal {
  return { answer: p.code as "UNKNOWN" | "REVOKED" };
}
function without(p: Model.Reply): SyncReset | SyncRefusal {
  if (p.code === "BOOT") return { reset: "boot" };
  return p.code === "RESET" ? { reset: p.reason ?? "lineage", epoch: p.epoch ?? "" } : refusal(p);
}

function pushIn(
  q: PushRequest,
  blob: Uint8Array,
  sender: { dev: string; boot: string; gen: number },
): Model.PushRequest {
  let at = 0;
  const logs = q.logs.map((log): Model.PushedLog => {
    const sid = nameOf(log.streamId);
    const events = log.lens.flatMap((length) => JSON.parse(text(blob.subarray(at, (at += length)))) as string[]);
    const [prev, mac] = [nameOfMac(sid, log.prevMac), nameOfMac(sid, log.mac)];
    return { sid, from: log.from, prev, events, mac, del: log.deleted ?? false };
  });
  const recs = q.records.map(({ base, body }): Model.PushedRecord => ({ ...recordIn(body), base }));
  return { t: "push", ...sender, epoch: q.epoch, logs, recs, cursor: q.cursor, since: q.since ?? 0, limit: 3 };
}

function recordIn(sealed: string): Omit<Model.PushedRecord, "base"> {
  const { item, mac } = JSON.parse(sealed) as { item: Item; mac: string };
  const { kind, id, rev, body, deleted, writer } = item;
  return { kind: kindName(kind), id: nameOf(id), rev, body, del: deleted, mac, writer: nameOf(writer) };
}

export function recordOut(row: Model.RecordRow, items: ReadonlyMap<string, string>): RecordRow {
  return {
    kind: KINDS[row.kind] ?? 0,
    id: idOf(row.id),
    version: row.ver,
    rev: row.rev,
    mac: macOf("", row.mac),
    keyId: 1,
    body: items.get(row.mac) ?? "",
    deleted: row.del,
    writer: idOf(row.writer),
    receivedAt: new Date(row.at * HOUR_MS).toISOString(),
  };
}

export function logOut(row: Model.LogRow): LogRow {
  return {
    streamId: idOf(row.sid),
    kind: LOG_KINDS.session,
    writer: idOf(row.writer),
    writerEpoch: 1,
    lastSeq: row.last,
    tailMac: macOf(row.sid, row.mac),
    version: row.ver,
    deleted: row.del,
  };
}

function pageOut(page: Model.Page, items: ReadonlyMap<string, string>): PullPage {
  const { from, next, more, head, wireSum } = page;
  const rows = page.rows.map((row): PullPage["rows"][number] =>
    row.what === "log" ? { row: "log", ...logOut(row) } : { row: "record", ...recordOut(row, items) },
  );
  const now = new Date(page.now * HOUR_MS).toISOString();
  return { from, rows, next, more, head, now, rosterSeq: 0, ...(wireSum === undefined ? {} : { sum: wireSum }) };
}

function segmentOut(streamId: string, seg: Model.Segment): Segment {
  const sid = nameOf(streamId);
  const macs = { prevMac: macOf(sid, seg.prev), mac: macOf(sid, seg.mac) };
  return { streamId, fromSeq: seg.from, toSeq: seg.to, ...macs, keyId: 1, body: JSON.stringify(seg.events) };
}
