import type { HeldRecord } from "../../src/ports/held-record.ts";
import type { StoreData } from "../../src/stores/memory-store.ts";
import type { View } from "./machine.ts";
import type * as Model from "./shapes.ts";
import { kindName, nameOf, nameOfMac } from "./wire-names.ts";

/** The real store as the oracle reads it. */
export function viewOfData(data: StoreData, keys: ReadonlyMap<string, number>): View {
  const { state } = data;
  const recs: View["recs"] = {};
  for (const record of data.records.values()) {
    const name = recordView(record);
    recs[`${name.kind}:${name.id}`] = name;
  }
  const logs: View["logs"] = {};
  for (const log of data.logs.values()) {
    const sid = nameOf(log.streamId);
    const { row } = log;
    logs[sid] = {
      sid,
      writer: nameOf(log.writer),
      mine: log.mine,
      followed: log.followed,
      dead: log.dead,
      row: row && {
        sid,
        writer: nameOf(row.writer),
        last: row.lastSeq,
        mac: nameOfMac(sid, row.tailMac),
        ver: row.version,
        del: row.deleted,
      },
      events: (data.events.get(log.streamId) ?? []).map(({ id, mac }) => {
        const name = nameOfMac(sid, mac);
        return { id, mac: name, key: keys.get(name) ?? 0 };
      }),
      pushed: log.pushedSeq,
      final: log.finalSeq,
      side: (data.waiting.get(log.streamId) ?? []).map(({ id }) => id),
      rewound: log.generation,
    };
  }
  return {
    dev: nameOf(state.deviceId),
    epoch: state.epoch,
    cursor: state.cursor,
    revoked: state.revoked,
    copy: state.copy,
    reset: state.reset,
    recs,
    logs,
    orphans: data.orphans.map(({ id, streamId }) => ({ id, sid: nameOf(streamId) })),
    sumResets: state.sumResets,
  };
}

function recordView({ kind, id, rev, body, deleted, mac, writer, base, dirty }: HeldRecord): Model.HeldRecord {
  const name = { kind: kindName(kind), id: nameOf(id) };
  return {
    ...name,
    rev,
    body: body ?? "",
    del: deleted,
    mac: mac && nameOfMac("", mac),
    writer: nameOf(writer),
    dirty,
    base: base && {
      ...name,
      rev: base.rev,
      body: "",
      del: base.deleted,
      mac: nameOfMac("", base.mac),
      writer: nameOf(base.writer),
      at: 0,
      ver: base.version,
    },
  };
}
