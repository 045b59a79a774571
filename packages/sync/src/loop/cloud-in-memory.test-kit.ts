import { LOG_KINDS, type PushRefusal, type PushRequest } from "@codehands/contracts";
import { feedOf, handle, newCloud } from "../../test/model/model-cloud.ts";
import { modelSealing } from "../../test/model/real-sealing.ts";
import { logOut, modelCloudPort, recordOut } from "../../test/model/real-wire.ts";
import { linkOf, rulesWithout } from "../../test/model/rules.ts";
import type { Cloud, Reply, Request } from "../../test/model/shapes.ts";
import { idOf, macOf, nameOf, nameOfMac } from "../../test/model/wire-names.ts";
import { Draft } from "../feed/draft.ts";
import { logDigest, recordDigest, xorSums } from "../feed/row-digest.ts";
import { appendOwn } from "../logs/append-events.ts";
import { newLog } from "../ports/held-log.ts";
import type { Store } from "../ports/store.ts";
import { EMPTY_SUM } from "../ports/sync-state.ts";
import { SyncClient, type SyncClientOptions } from "./sync-client.ts";

/** Decides what happens to a request before the cloud sees it and to its answer; it may throw or wait. */
export type Wire = (q: Request, pass: () => Reply) => Promise<Reply> | Reply;

interface WireOptions {
  dev: string;
  wire?: Wire;
  /** The key epoch of this device now. */
  key?: () => number;
  /** Refuses whole pushes before the cloud sees them. */
  refusePush?: (q: PushRequest, blob: Uint8Array) => PushRefusal | null;
}

/** A cloud in memory for several clients. */
export class CloudInMemory {
  readonly cloud: Cloud = newCloud("E1");
  readonly sent: Request[] = [];
  readonly #items = new Map<string, string>();
  readonly #keys = new Map<string, number>();
  #nonces = 0;

  /** A client of this cloud; `wire` stands between them. */
  client(o: Pick<SyncClientOptions, "store"> & Partial<SyncClientOptions> & WireOptions): SyncClient {
    const { dev, wire = (_q, pass) => pass(), refusePush = () => null, key = () => 0, ...options } = o;
    const ask = async (q: Request): Promise<Reply> => wire(q, () => this.#handle(q));
    const cloud = modelCloudPort({ dev: () => dev, items: this.#items, ask });
    return new SyncClient({
      boot: `boot-${dev}`,
      cloud: { ...cloud, push: async (q, blob) => refusePush(q, blob) ?? cloud.push(q, blob) },
      sealing: modelSealing({ items: this.#items, nonce: () => String(this.#nonces++), key, keys: this.#keys }),
      clock: () => 1_000,
      random: () => 0.5,
      sleep: async () => undefined,
      ...options,
    });
  }

  #handle(q: Request): Reply {
    this.sent.push(structuredClone(q));
    const reply = structuredClone(handle(this.cloud, q, rulesWithout()));
    const digest = (row: ReturnType<typeof feedOf>[number]): string =>
      row.what === "log" ? logDigest(logOut(row)) : recordDigest(recordOut(row, this.#items));
    if (reply.page?.sum !== undefined) reply.page.wireSum = feedOf(this.cloud).map(digest).reduce(xorSums, EMPTY_SUM);
    return reply;
  }
}

/** Appends events of this device to a session, as its daemon does: one transaction. */
export async function appendTo(store: Store, session: string, ids: readonly string[]): Promise<void> {
  const streamId = idOf(session);
  await store.apply({ logs: [streamId] }, (view) => {
    const draft = new Draft(view);
    for (const id of ids) {
      const writer = view.state.deviceId;
      const log = draft.log(streamId) ?? newLog({ streamId, kind: LOG_KINDS.session, writer });
      const seq = log.lastSeq + 1;
      const mac = macOf(session, linkOf(nameOfMac(session, log.tailMac), seq, id));
      appendOwn(draft, log, { chained: [{ seq, id, line: id, mac }] });
    }
    return { changes: draft.changes(), result: undefined };
  });
}

/** The ids of a session's events as a store holds them. */
export async function eventsIn(store: Store, session: string): Promise<string[]> {
  const streamId = idOf(session);
  const view = await store.read({ events: { streamId, from: 1, to: Number.MAX_SAFE_INTEGER } });
  return view.events.map((event) => nameOf(event.id));
}

/** Exchanges until nothing is left to send. */
export async function drain(client: SyncClient): Promise<void> {
  client.poke();
  do while (await client.settle());
  while ((await client.exchange()) !== "wait");
}
