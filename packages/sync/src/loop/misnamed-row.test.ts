import { expect, test } from "vitest";
import { logOut } from "../../test/model/real-wire.ts";
import type { LogRow, Reply, Request } from "../../test/model/shapes.ts";
import { idOf } from "../../test/model/wire-names.ts";
import { logDigest, xorSums } from "../feed/row-digest.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { appendTo, CloudInMemory, drain, eventsIn } from "./cloud-in-memory.test-kit.ts";

/** Names another writer in every row of S1; with `sums` the sums of the pages say so too. */
function lyingWire({ sums }: { sums: boolean }) {
  const is = { lying: false };
  const told = (row: LogRow): LogRow => ({ ...row, writer: "B" });
  function lie(reply: Reply): Reply {
    let shift = "0".repeat(16);
    for (const one of reply.logs ?? []) if (one.row) one.row = told(one.row);
    const { page } = reply;
    if (!page) return reply;
    page.rows = page.rows.map((row) => {
      if (row.what !== "log" || row.sid !== "S1") return row;
      shift = xorSums(logDigest(logOut(row)), logDigest(logOut(told(row))));
      return { ...row, ...told(row) };
    });
    if (sums && page.wireSum !== undefined) page.wireSum = xorSums(page.wireSum, shift);
    return reply;
  }
  let asked = 0;
  function wire(_q: Request, pass: () => Reply): Reply {
    // Whoever goes round and round would never come to an end.
    if (++asked > 100) throw new Error("it asks without end");
    return is.lying ? lie(pass()) : pass();
  }
  return { is, wire };
}

/** A session of A, of which the cloud says from its third event on that B writes it. */
async function ownLogUnderALie(sums: boolean) {
  const cloud = new CloudInMemory();
  const store = new MemoryStore(newStoreData(idOf("A")));
  const { is, wire } = lyingWire({ sums });
  const client = cloud.client({ dev: "A", store, wire });
  await appendTo(store, "S1", ["e1", "e2"]);
  await drain(client);
  is.lying = true;
  await appendTo(store, "S1", ["e3"]);
  await drain(client);
  await appendTo(store, "S1", ["e4"]);
  await drain(client);
  return { cloud, store, client, is, held: () => store.data.logs.get(idOf("S1")) };
}

for (const sums of [true, false])
  test(`V20 S16 a row that names another writer forks and drops nothing, and is shown; its sum ${sums ? "fits" : "does not"}`, async () => {
    const { cloud, store, client, is, held } = await ownLogUnderALie(sums);
    expect([...store.data.logs.keys()]).toEqual([idOf("S1")]);
    expect(await eventsIn(store, "S1")).toEqual(["e1", "e2", "e3", "e4"]);
    const row = { writer: idOf("B"), lastSeq: 3 };
    expect(held()).toMatchObject({ writer: idOf("A"), mine: true, lastSeq: 4, row, blocked: { code: "NOT_ALLOWED" } });
    expect(cloud.cloud.logs["S1"]).toMatchObject({ writer: "A", last: 3 });
    // S11: everything was asked for once more at most, and then it rests.
    expect(store.data.state.sumResets).toBe(sums ? 0 : 1);
    const before = cloud.sent.length;
    for (let looks = 0; looks < 3; looks++) await drain(client);
    expect(cloud.sent.slice(before).map((q) => q.t)).toEqual(["pull", "pull", "pull"]);
    expect(store.data.state).toMatchObject({ reset: null, sumResets: sums ? 0 : 1 });
    // The cloud thinks better of it, and is asked for everything.
    is.lying = false;
    cloud.cloud.epoch = "E2";
    await drain(client);
    expect(cloud.cloud.logs["S1"]).toMatchObject({ writer: "A", last: 4 });
    expect(held()).toMatchObject({ blocked: null, pushedSeq: 4 });
  });

test("V20 a reader's log keeps its writer too, and goes on with the writer's next event", async () => {
  const cloud = new CloudInMemory();
  const [a, c] = ["A", "C"].map((dev) => new MemoryStore(newStoreData(idOf(dev)))) as [MemoryStore, MemoryStore];
  const { is, wire } = lyingWire({ sums: true });
  const [writer, reader] = [cloud.client({ dev: "A", store: a }), cloud.client({ dev: "C", store: c, wire })];
  await reader.follow({ streamId: idOf("S1"), kind: 1, writer: idOf("A") });
  const write = async (id: string): Promise<void> => {
    await appendTo(a, "S1", [id]);
    await drain(writer);
    await drain(reader);
  };
  await write("e1");
  is.lying = true;
  await write("e2");
  expect(await eventsIn(c, "S1")).toEqual(["e1"]);
  expect(c.data.logs.get(idOf("S1"))).toMatchObject({ writer: idOf("A"), blocked: { code: "NOT_ALLOWED" } });
  is.lying = false;
  await write("e3");
  expect(await eventsIn(c, "S1")).toEqual(["e1", "e2", "e3"]);
});

test("V20 of a log of which nothing is held the first name is not for ever", async () => {
  const cloud = new CloudInMemory();
  const [a, c] = ["A", "C"].map((dev) => new MemoryStore(newStoreData(idOf(dev)))) as [MemoryStore, MemoryStore];
  const { is, wire } = lyingWire({ sums: true });
  const [writer, reader] = [cloud.client({ dev: "A", store: a }), cloud.client({ dev: "C", store: c, wire })];
  is.lying = true;
  await appendTo(a, "S1", ["e1"]);
  await drain(writer);
  await drain(reader);
  is.lying = false;
  await appendTo(a, "S1", ["e2"]);
  await drain(writer);
  await drain(reader);
  expect(c.data.logs.get(idOf("S1"))).toMatchObject({ writer: idOf("A"), blocked: null });
});
