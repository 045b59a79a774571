import { expect, test } from "vitest";
import type { Reply, Request } from "../../test/model/shapes.ts";
import { idOf } from "../../test/model/wire-names.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { SyncError } from "../sync-error.ts";
import { appendTo, CloudInMemory, drain, eventsIn } from "./cloud-in-memory.test-kit.ts";

const RANGE = { streamId: idOf("S1"), from: 1, to: 6 };

/** A session of six events that were pushed one by one; `wire` stands before its compaction. */
async function sixSegments(wire: (pass: () => Reply) => Reply) {
  const cloud = new CloudInMemory();
  const store = new MemoryStore(newStoreData(idOf("A")));
  const faults: string[] = [];
  const client = cloud.client({
    dev: "A",
    store,
    wire: (q: Request, pass) => (q.t === "compact" ? wire(pass) : pass()),
    onFault: (what) => faults.push(what),
  });
  for (const id of ["e1", "e2", "e3", "e4", "e5", "e6"]) {
    await appendTo(store, "S1", [id]);
    await drain(client);
  }
  const segments = () => (cloud.cloud.segs["S1"] ?? []).map(({ from, to }) => [from, to]);
  const asked = () => cloud.sent.filter((q) => q.t === "compact").length;
  return { cloud, store, client, faults, segments, asked };
}

test("S20 small segments become one, and what is held here stays as it is", async () => {
  const { cloud, store, client, segments, asked } = await sixSegments((pass) => pass());
  expect(segments()).toHaveLength(6);
  const before = structuredClone([store.data.logs, cloud.cloud.logs]);
  client.compact(RANGE);
  client.compact(RANGE);
  await drain(client);
  expect(segments()).toEqual([[1, 6]]);
  expect([store.data.logs, cloud.cloud.logs]).toEqual(before);
  expect(asked()).toBe(1);
});

test("S20 S19 a reader before, in the middle and after a compaction reads the same events", async () => {
  const { cloud, client } = await sixSegments((pass) => pass());
  const reader = (dev: string) => {
    const store = new MemoryStore(newStoreData(idOf(dev)));
    return { store, client: cloud.client({ dev, store, limits: { events: 9, bytes: 9_000, rows: 9, segments: 3 } }) };
  };
  const [early, late] = [reader("B"), reader("C")];
  const name = { streamId: RANGE.streamId, kind: 1, writer: idOf("A") };
  await early.client.follow(name);
  early.client.poke();
  while ((await eventsIn(early.store, "S1")).length < 3) await early.client.exchange();
  expect(await eventsIn(early.store, "S1")).toEqual(["e1", "e2", "e3"]);
  client.compact(RANGE);
  await drain(client);
  await drain(early.client);
  await late.client.follow(name);
  await drain(late.client);
  for (const { store } of [early, late])
    expect(await eventsIn(store, "S1")).toEqual(["e1", "e2", "e3", "e4", "e5", "e6"]);
});

for (const when of ["before", "after"])
  test(`S20 a cut ${when} the cloud did it changes nothing, and it is not asked for again by itself`, async () => {
    const { store, client, segments, faults, asked } = await sixSegments((pass) => {
      if (when === "after") pass();
      throw new Error("cut");
    });
    client.compact(RANGE);
    await expect(drain(client)).rejects.toThrow("cut");
    await drain(client);
    expect(segments()).toHaveLength(when === "after" ? 1 : 6);
    expect(await eventsIn(store, "S1")).toHaveLength(6);
    expect([asked(), faults]).toEqual([when === "after" ? 1 : 0, []]);
    // Wanted again, it is the same as if it had been done once.
    expect(await client.next()).toEqual({ do: "wait" });
  });

test("S20 a compaction that the cloud finds too large is dropped and told, and pushes stay as large as they were", async () => {
  let tries = 0;
  const { store, client, segments, faults } = await sixSegments(() => {
    tries += 1;
    throw new SyncError("too_large", "too much");
  });
  client.compact(RANGE);
  await appendTo(store, "S1", ["e7"]);
  await drain(client);
  await drain(client);
  expect(tries).toBe(1);
  expect(faults).toEqual([
    `The events 1 to 6 of session ${RANGE.streamId} are too large as one segment. They stay as they are.`,
  ]);
  expect(segments()).toHaveLength(7);
});

test("S20 events that cannot be sealed, and a range that is not held, are dropped; the loop goes on", async () => {
  const { cloud, store, client, segments } = await sixSegments((pass) => pass());
  client.compact({ ...RANGE, to: 9 });
  await drain(client);
  expect(segments()).toHaveLength(6);
  const faults: string[] = [];
  const broken = cloud.client({
    dev: "A",
    store,
    boot: "next",
    sealing: {
      sealEvents: () => Promise.reject(new SyncError("broken_store", "no key fits")),
      openRecords: async () => [],
      openSegment: async () => ({ ok: false, code: "BAD_FORMAT" }),
      sealRecord: async () => ({ item: "", mac: "" }),
      chain: async () => [],
    },
    onFault: (what) => faults.push(what),
  });
  broken.compact(RANGE);
  await drain(broken);
  expect(faults).toHaveLength(1);
  expect(segments()).toHaveLength(6);
});
