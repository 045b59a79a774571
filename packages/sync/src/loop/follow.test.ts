import { LOG_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import type { Request } from "../../test/model/shapes.ts";
import { idOf } from "../../test/model/wire-names.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { appendTo, CloudInMemory, drain, eventsIn } from "./cloud-in-memory.test-kit.ts";
import type { SyncClient } from "./sync-client.ts";

const name = { streamId: idOf("S1"), kind: LOG_KINDS.session, writer: idOf("A") };
const segmentsAsked = (sent: readonly Request[]): number[] =>
  sent.flatMap((q) => (q.t === "segs" && q.dev === "B" ? [q.after] : []));

/** A writes a session, B may read it. */
function twoDevices() {
  const cloud = new CloudInMemory();
  const [a, b] = ["A", "B"].map((dev) => new MemoryStore(newStoreData(idOf(dev)))) as [MemoryStore, MemoryStore];
  const [writer, reader] = [cloud.client({ dev: "A", store: a }), cloud.client({ dev: "B", store: b })];
  const write = async (...ids: string[]): Promise<void> => {
    await appendTo(a, "S1", ids);
    await drain(writer);
    await drain(reader);
  };
  const rowEnd = (): number | undefined => b.data.logs.get(name.streamId)?.row?.lastSeq;
  return { cloud, b, reader, write, rowEnd };
}
async function follow(client: SyncClient): Promise<void> {
  await client.follow(name);
  await drain(client);
}

describe("S35 events are fetched only for what somebody opens", () => {
  test("S35 the newest row comes, the events do not", async () => {
    const { cloud, b, write, rowEnd } = twoDevices();
    await write("e1");
    await write("e2");
    expect([rowEnd(), await eventsIn(b, "S1")]).toEqual([2, []]);
    expect(segmentsAsked(cloud.sent)).toEqual([]);
  });

  test("S35 opened, left and opened again: each time on from the last event held", async () => {
    const { cloud, b, reader, write, rowEnd } = twoDevices();
    await write("e1", "e2");
    await follow(reader);
    await write("e3");
    expect(await eventsIn(b, "S1")).toEqual(["e1", "e2", "e3"]);
    await reader.unfollow(name.streamId);
    await write("e4");
    await write("e5");
    expect([rowEnd(), await eventsIn(b, "S1")]).toEqual([5, ["e1", "e2", "e3"]]);
    expect(segmentsAsked(cloud.sent)).toEqual([0, 2]);
    await follow(reader);
    expect(await eventsIn(b, "S1")).toEqual(["e1", "e2", "e3", "e4", "e5"]);
    expect(segmentsAsked(cloud.sent)).toEqual([0, 2, 3]);
  });

  test("S35 a session may be opened before its log has come", async () => {
    const { b, reader, write } = twoDevices();
    await follow(reader);
    await write("e1");
    expect(await eventsIn(b, "S1")).toEqual(["e1"]);
  });

  test("S35 S21 what nobody follows goes too when it is deleted", async () => {
    const { cloud, b, reader, write } = twoDevices();
    await write("e1");
    await follow(reader);
    await reader.unfollow(name.streamId);
    const row = cloud.cloud.logs["S1"];
    Object.assign(row ?? {}, { del: true, ver: ++cloud.cloud.head });
    await drain(reader);
    expect(await eventsIn(b, "S1")).toEqual([]);
    expect(b.data.logs.get(name.streamId)).toMatchObject({ dead: true, lastSeq: 0 });
  });

  test("S35 a device does not stop to hold its own log", async () => {
    const { b, reader } = twoDevices();
    await appendTo(b, "S2", ["e1"]);
    await drain(reader);
    await reader.unfollow(idOf("S2"));
    expect(b.data.logs.get(idOf("S2"))).toMatchObject({ followed: true });
  });
});
