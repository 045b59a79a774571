import type { Sealing } from "../../src/ports/sealing.ts";
import type { Item } from "./real-wire.ts";
import { hash, linkOf } from "./rules.ts";
import { macOf, nameOf, nameOfMac } from "./wire-names.ts";

/** Seals as the model world does: openly, with the model's chain. `nonce` makes two seals of one content differ. */
export function modelSealing(items: Map<string, string>, nonce: () => string): Sealing {
  const chain: Sealing["chain"] = async ({ streamId, prevMac, from, events }) => {
    const sid = nameOf(streamId);
    let mac = nameOfMac(sid, prevMac);
    return events.map(({ id }, i) => macOf(sid, (mac = linkOf(mac, from + i, id))));
  };
  return {
    chain,
    async sealEvents({ events }) {
      return [new TextEncoder().encode(JSON.stringify(events.map((event) => event.id)))];
    },
    async openSegment({ streamId, fromSeq, prevMac, body }) {
      const ids = JSON.parse(body) as string[];
      const events = ids.map((id) => ({ id, line: id }));
      const macs = await chain({ streamId, prevMac, from: fromSeq, events });
      return { ok: true, events: events.map((event, i) => ({ ...event, seq: fromSeq + i, mac: macs[i] ?? "" })) };
    },
    async sealRecord({ kind, id, rev, deleted, body }, writer) {
      const item: Item = { kind, id, rev, deleted, writer, body: body ?? "" };
      const mac = hash("rec", JSON.stringify(item), nonce());
      const sealed = JSON.stringify({ item, mac });
      items.set(mac, sealed);
      return { item: sealed, mac: macOf("", mac) };
    },
    async openRecord(row) {
      if (row.body === "") return { ok: false, code: "BAD_FORMAT" };
      return { ok: true, body: (JSON.parse(row.body) as { item: Item }).item.body };
    },
  };
}
