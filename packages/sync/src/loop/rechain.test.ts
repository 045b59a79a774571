import { describe, expect, test } from "vitest";
import type { Request } from "../../test/model/shapes.ts";
import { idOf } from "../../test/model/wire-names.ts";
import type { ChainedEvent, HeldLog } from "../ports/held-log.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { appendTo, CloudInMemory, drain, type Wire } from "./cloud-in-memory.test-kit.ts";
import type { SyncClient, SyncClientOptions } from "./sync-client.ts";

const STREAM = idOf("S1");

interface Device {
  cloud: CloudInMemory;
  client: SyncClient;
  store: MemoryStore;
  /** From now on it seals under a newer key. */
  turnKey: () => void;
  held: () => { log: HeldLog; events: ChainedEvent[] };
}
type Options = Partial<SyncClientOptions> & Pick<Parameters<CloudInMemory["client"]>[0], "wire" | "refusePush">;

function device(o: Options = {}): Device {
  const cloud = new CloudInMemory();
  const store = new MemoryStore(newStoreData(idOf("A")));
  let key = 0;
  const client = cloud.client({ dev: "A", store, key: () => key, ...o });
  const held: Device["held"] = () => {
    const log = store.data.logs.get(STREAM);
    if (!log) throw new Error("There is no log.");
    return { log, events: [...(store.data.events.get(STREAM) ?? [])] };
  };
  return { cloud, client, store, turnKey: () => void (key = 1), held };
}
const namesOf = (events: readonly ChainedEvent[]): unknown => events.map(({ seq, id, line }) => ({ seq, id, line }));
const pushed = (sent: readonly Request[]): string[][] =>
  sent.flatMap((q) => (q.t === "push" ? [q.logs.flatMap((log) => log.events)] : []));

describe("V12 V19 a newer key epoch", () => {
  test("V12 V19 what was never acknowledged is chained anew: same ids, numbers and lines, no new generation", async () => {
    const { cloud, client, store, turnKey, held } = device();
    await appendTo(store, "S1", ["e1", "e2"]);
    await drain(client);
    await appendTo(store, "S1", ["e3", "e4"]);
    const before = held();
    turnKey();
    await client.rechain();
    const after = held();
    expect(namesOf(after.events)).toEqual(namesOf(before.events));
    expect(after.events.map(({ mac }, i) => mac === before.events[i]?.mac)).toEqual([true, true, false, false]);
    expect(after.log).toEqual({ ...before.log, tailMac: after.events[3]?.mac });
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([
      ["e1", "e2"],
      ["e3~1", "e4~1"],
    ]);
    expect(held().log).toMatchObject({ pushedSeq: 4, waiting: 0, generation: 0 });
  });

  test("S33 V12 before the first pull to head nothing is chained anew, and all of it before the first push", async () => {
    const { cloud, client, store, turnKey, held } = device();
    await appendTo(store, "S1", ["e1"]);
    const before = held();
    turnKey();
    await client.rechain();
    expect(held()).toEqual(before);
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([["e1~1"]]);
  });

  test("S33 V12 a push whose answer was lost is common ground first, and keeps its chain values", async () => {
    let lost = false;
    const wire: Wire = (q, pass) => {
      const reply = pass();
      if (q.t !== "push" || lost) return reply;
      lost = true;
      throw new Error("cut");
    };
    const { cloud, client, store, turnKey, held } = device({ wire });
    await appendTo(store, "S1", ["e1"]);
    await expect(drain(client)).rejects.toThrow("cut");
    client.poke();
    turnKey();
    await client.rechain();
    await appendTo(store, "S1", ["e2"]);
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([["e1"], ["e2~1"]]);
    expect(held().log).toMatchObject({ pushedSeq: 2, generation: 0 });
  });

  test("V12 while a push is on its way it waits for the answer", async () => {
    let during = async (): Promise<void> => undefined;
    const wire: Wire = async (q, pass) => {
      if (q.t === "push") await during();
      return pass();
    };
    const made = device({ wire });
    const { cloud, client, store, turnKey, held } = made;
    await appendTo(store, "S1", ["e1"]);
    during = async () => {
      during = async () => undefined;
      await appendTo(store, "S1", ["e2"]);
      turnKey();
      await client.rechain();
    };
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([["e1"], ["e2~1"]]);
    expect(held().log.generation).toBe(0);
  });

  test("V12 a push that the cloud refuses as sealed under an older epoch is chained anew without being told", async () => {
    let refused = 0;
    const made: Device = device({
      refusePush: () => {
        if (refused++ > 0) return null;
        made.turnKey();
        return { refused: "STALE_EPOCH", rosterSeq: 3 };
      },
    });
    const { cloud, client, store, held } = made;
    await appendTo(store, "S1", ["e1", "e2"]);
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([["e1~1", "e2~1"]]);
    expect(held().log).toMatchObject({ pushedSeq: 2, generation: 0 });
  });

  test("V12 refused again with the newest key it knows: a failure that waits, and nothing is lost", async () => {
    let newerIsKnown = false;
    const { cloud, client, store } = device({
      refusePush: () => (newerIsKnown ? null : { refused: "STALE_EPOCH", rosterSeq: 3 }),
    });
    await appendTo(store, "S1", ["e1"]);
    await expect(drain(client)).rejects.toMatchObject({ code: "refused" });
    await expect(drain(client)).rejects.toMatchObject({ code: "refused" });
    expect(cloud.sent.filter((q) => q.t === "pull")).toHaveLength(3);
    newerIsKnown = true;
    await drain(client);
    expect(pushed(cloud.sent)).toEqual([["e1"]]);
  });

  test("S25 V12 what a restored cloud lost is sent again as it was sealed, and only what is newer is chained anew", async () => {
    const { cloud, client, store, turnKey } = device();
    await drain(client);
    const backup = structuredClone(cloud.cloud);
    await appendTo(store, "S1", ["e1", "e2"]);
    await drain(client);
    await appendTo(store, "S1", ["e3"]);
    Object.assign(cloud.cloud, backup, { epoch: "E2" });
    turnKey();
    client.poke();
    await client.rechain();
    await drain(client);
    expect(cloud.cloud.segs["S1"]?.flatMap((segment) => segment.events)).toEqual(["e1", "e2", "e3~1"]);
  });
});
