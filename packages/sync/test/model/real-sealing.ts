import type { Sealing } from "../../src/ports/sealing.ts";
import type { Item } from "./real-wire.ts";
import { eventIn, hash, keyIn, linkOf, sealedName } from "./rules.ts";
import { macOf, nameOf, nameOfMac } from "./wire-names.ts";

export interface ModelSeals {
  /** Sealed records by mac. */
  items: Map<string, string>;
  /** Makes two seals of one content differ. */
  nonce: () => string;
  /** The key epoch of this device now, and of each chain value that was computed. */
  key?: () => number;
  keys?: Map<string, number>;
}

/** Seals as the model world does: openly, with the model's chain. */
export function modelSealing({ items, nonce, key = () => 0, keys = new Map() }: ModelSeals): Sealing {
  const chainOf = (o: { streamId: string; prevMac: string; from: number }, sealed: readonly string[]): string[] => {
    const sid = nameOf(o.streamId);
    let mac = nameOfMac(sid, o.prevMac);
    return sealed.map((event, i) => {
      mac = linkOf(mac, o.from + i, event);
      keys.set(mac, keyIn(event));
      return macOf(sid, mac);
    });
  };
  return {
    async chain(run) {
      return chainOf(
        run,
        run.events.map(({ id }) => sealedName(id, key())),
      );
    },
    async sealEvents({ streamId, events }) {
      const sid = nameOf(streamId);
      const sealed = events.map(({ id, mac }) => sealedName(id, keys.get(nameOfMac(sid, mac)) ?? 0));
      return [new TextEncoder().encode(JSON.stringify(sealed))];
    },
    async openSegment({ streamId, fromSeq, prevMac, body }) {
      const sealed = JSON.parse(body) as string[];
      const macs = chainOf({ streamId, prevMac, from: fromSeq }, sealed);
      const events = sealed.map((event, i) => ({ id: eventIn(event), seq: fromSeq + i, mac: macs[i] ?? "" }));
      return { ok: true, events: events.map((event) => ({ ...event, line: event.id })) };
    },
    async sealRecord({ kind, id, rev, deleted, body }, writer) {
      const item: Item = { kind, id, rev, deleted, writer, body: body ?? "" };
      const mac = hash("rec", JSON.stringify(item), nonce());
      const sealed = JSON.stringify({ item, mac });
      items.set(mac, sealed);
      return { item: sealed, mac: macOf("", mac) };
    },
    async openRecords(rows) {
      return rows.map(({ body }) =>
        body === ""
          ? { ok: false, code: "BAD_FORMAT" }
          : { ok: true, body: (JSON.parse(body) as { item: Item }).item.body },
      );
    },
  };
}
