import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import type { Request } from "../../test/model/shapes.ts";
import { idOf } from "../../test/model/wire-names.ts";
import { Draft } from "../feed/draft.ts";
import type { Store } from "../ports/store.ts";
import { editRecord } from "../records/edit-record.ts";
import { MemoryStore, newStoreData } from "../stores/memory-store.ts";
import { appendTo, CloudInMemory, drain, eventsIn } from "./cloud-in-memory.test-kit.ts";
import { RETRY_CAP_MS, RETRY_FIRST_MS, retryDelay } from "./retry-delay.ts";
import type { SyncStatus } from "./sync-client.ts";

const storeOf = (dev: string): MemoryStore => new MemoryStore(newStoreData(idOf(dev)));
const kinds = (sent: readonly Request[]): string[] => sent.map((q) => q.t);

async function editPreference(store: Store, name: string, body: string): Promise<void> {
  const edit = { kind: RECORD_KINDS.preference, id: idOf(name), body };
  await store.apply({ records: [edit] }, (view) => {
    const draft = new Draft(view);
    draft.putRecord(edit, editRecord(draft.record(edit), edit, view.state.deviceId));
    return { changes: draft.changes(), result: undefined };
  });
}

/** A client that runs until `until` says that its status is the one that was waited for. */
async function runUntil(
  make: (onStatus: (status: SyncStatus) => void) => { run: (signal: AbortSignal) => Promise<void> },
  until: (status: SyncStatus) => boolean,
): Promise<SyncStatus[]> {
  const seen: SyncStatus[] = [];
  const stop = new AbortController();
  const client = make((status) => {
    seen.push(status);
    if (until(status)) stop.abort();
  });
  await client.run(stop.signal);
  return seen;
}

describe("the order of messages", () => {
  test("S33 hello, pull to head, push until empty, and never a push before the first pull", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await appendTo(store, "S1", ["e1", "e2"]);
    await drain(cloud.client({ dev: "A", store }));
    expect(kinds(cloud.sent)).toEqual(["hello", "pull", "push"]);
    expect(cloud.cloud.logs["S1"]).toMatchObject({ last: 2, writer: "A" });
  });

  test("S1 a boot id is stored before the cloud can know of it, and the same hello is said again", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    let lost = 0;
    const client = cloud.client({
      dev: "A",
      store,
      wire: (q, pass) => {
        const reply = pass();
        if (q.t === "hello" && lost++ === 0) {
          expect(store.data.state.boots).toEqual(["boot-A"]);
          throw new Error("cut");
        }
        return reply;
      },
    });
    await expect(client.exchange()).rejects.toThrow("cut");
    await drain(client);
    expect(cloud.sent.slice(0, 2)).toEqual([cloud.sent[0], cloud.sent[0]]);
    expect(store.data.state.boots).toEqual(["boot-A"]);
  });

  test("S23 C099 F08 a push whose answer is lost is sent again byte for byte and written once", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    let lost = false;
    const client = cloud.client({
      dev: "A",
      store,
      wire: (q, pass) => {
        const reply = pass();
        if (q.t !== "push" || lost) return reply;
        lost = true;
        throw new Error("cut");
      },
    });
    await appendTo(store, "S1", ["e1"]);
    await editPreference(store, "p", '{"a":1}');
    await expect(drain(client)).rejects.toThrow("cut");
    await drain(client);
    const pushes = cloud.sent.flatMap((q) => (q.t === "push" ? [q.recs.map((rec) => rec.mac)] : []));
    const [first] = pushes;
    expect(pushes.every((macs) => macs.length === 0 || macs[0] === first?.[0])).toBe(true);
    expect(cloud.cloud.recs["pref:p"]).toMatchObject({ rev: 1, ver: 2 });
    expect(cloud.cloud.logs["S1"]?.last).toBe(1);
    expect([...store.data.records.values()].map((record) => record.dirty)).toEqual([""]);
  });

  test("F36 a page that cannot be is refused, and nothing of it is kept", async () => {
    const cloud = new CloudInMemory();
    const [writer, store] = [storeOf("A"), storeOf("B")];
    await appendTo(writer, "S1", ["e1"]);
    await drain(cloud.client({ dev: "A", store: writer }));
    const lying = cloud.client({
      dev: "B",
      store,
      wire: (q, pass) => {
        const reply = pass();
        return reply.page && q.t === "pull" ? { ...reply, page: { ...reply.page, next: 99 } } : reply;
      },
    });
    await lying.exchange();
    await expect(lying.exchange()).rejects.toMatchObject({ code: "bad_reply" });
    expect([store.data.logs.size, store.data.state.cursor]).toEqual([0, 0]);
  });
});

describe("the loop", () => {
  test("a lone event is pushed at once; what comes while a push is on its way goes together", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await drain(cloud.client({ dev: "A", store }));
    const stop = new AbortController();
    const pushes: string[][] = [];
    const client = cloud.client({
      dev: "A",
      store,
      wire: async (q, pass) => {
        if (q.t !== "push") return pass();
        pushes.push(q.logs.flatMap((log) => log.events));
        if (pushes.length === 1)
          for (const id of ["e2", "e3", "e4"]) {
            await appendTo(store, "S1", [id]);
            client.changed();
          }
        if (pushes.length === 2) stop.abort();
        return pass();
      },
      // It rests once, and an event comes then.
      sleep: async (_ms, signal) => {
        const woken = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        await appendTo(store, "S1", ["e1"]);
        client.changed();
        return woken;
      },
    });
    await client.run(stop.signal);
    expect(pushes).toEqual([["e1"], ["e2", "e3", "e4"]]);
  });

  test("C083 without an answer it waits longer each time, up to a limit, and loses nothing", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await appendTo(store, "S1", ["e1"]);
    const waits: number[] = [];
    const make = (onStatus: (status: SyncStatus) => void) =>
      cloud.client({
        dev: "A",
        store,
        onStatus,
        wire: (_q, pass) => {
          if (waits.length < 4) throw new Error("the network is down");
          return pass();
        },
        sleep: async (ms) => void waits.push(ms),
      });
    const seen = await runUntil(make, (status) => status.state === "resting");
    expect(waits).toEqual([1, 2, 3, 4].map((failures) => retryDelay(failures, 0.5)));
    const down = seen.find((status) => status.failures === 3);
    expect(down).toMatchObject({ state: "retrying", reason: "the network is down", lastRoundTripAt: null });
    expect(seen.at(-1)).toMatchObject({ failures: 0, reason: null, lastRoundTripAt: 1_000, pending: { events: 0 } });
    expect(cloud.cloud.logs["S1"]?.last).toBe(1);
  });

  test("C084 the status is the age of a real exchange and what waits", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await appendTo(store, "S1", ["e1", "e2"]);
    await editPreference(store, "p", "{}");
    const client = cloud.client({ dev: "A", store });
    expect(client.status.lastRoundTripAt).toBe(null);
    await client.exchange();
    expect(client.status.pending).toEqual({ events: 2, records: 1 });
    await drain(client);
    expect(client.status.pending).toEqual({ events: 0, records: 0 });
  });

  test("C084 who waits for an answer is not at rest", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    const asked: string[] = [];
    let rests = 0;
    await runUntil(
      (onStatus) => {
        const client = cloud.client({
          dev: "A",
          store,
          onStatus,
          wire: (q, pass) => (asked.push(`${q.t} ${client.status.state}`), pass()),
          sleep: async () => {
            if (rests++ === 0) await appendTo(store, "S1", ["e1"]);
          },
        });
        return client;
      },
      () => rests === 2,
    );
    expect(new Set(asked)).toEqual(new Set(["hello working", "pull working", "push working"]));
  });

  test("after 30 quiet seconds it looks at the cloud again", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    let rests = 0;
    const make = (onStatus: (status: SyncStatus) => void) =>
      cloud.client({ dev: "A", store, onStatus, sleep: async () => void rests++ });
    await runUntil(make, () => rests === 2);
    expect(kinds(cloud.sent)).toEqual(["hello", "pull", "pull", "pull"].slice(0, cloud.sent.length));
    expect(cloud.sent.length).toBeGreaterThanOrEqual(3);
  });

  test("a push that is too large is halved until it passes", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await appendTo(
      store,
      "S1",
      Array.from({ length: 12 }, (_, i) => `event-${i}-${"x".repeat(90)}`),
    );
    const sizes: number[] = [];
    const make = (onStatus: (status: SyncStatus) => void) =>
      cloud.client({
        dev: "A",
        store,
        onStatus,
        limits: { events: 1_000, bytes: 2_000, rows: 100, segments: 100 },
        refusePush: (_request, blob) => {
          sizes.push((JSON.parse(new TextDecoder().decode(blob)) as string[]).length);
          return (sizes.at(-1) ?? 0) > 4 ? { refused: "TOO_LARGE", rosterSeq: 0 } : null;
        },
      });
    await runUntil(make, (status) => status.state === "resting");
    expect(cloud.cloud.logs["S1"]?.last).toBe(12);
    expect(sizes[0]).toBe(12);
    expect(sizes.some((size) => size > 0 && size <= 4)).toBe(true);
  });

  test("S3 a copy stops, and goes on as a new device when a person says so", async () => {
    const cloud = new CloudInMemory();
    const store = storeOf("A");
    await appendTo(store, "S1", ["e1"]);
    await drain(cloud.client({ dev: "A", store }));
    const copy = new MemoryStore(structuredClone(store.data));
    await appendTo(store, "S1", ["e2"]);
    await drain(cloud.client({ dev: "A", store, boot: "later" }));
    await appendTo(copy, "S1", ["other"]);
    let dev = "A";
    const seen: string[] = [];
    const client = cloud.client({ dev, store: copy, boot: "copy", wire: (q, pass) => (seen.push(q.dev), pass()) });
    await client.exchange();
    expect(await client.next()).toEqual({ do: "stop", why: "copy" });
    dev = "B";
    await client.becomeNew(idOf(dev));
    const again = cloud.client({ dev, store: copy, boot: "copy-2" });
    await drain(again);
    expect(await eventsIn(copy, "S1")).toEqual(["e1", "e2"]);
    const forks = Object.values(cloud.cloud.logs).filter((log) => log.writer === "B");
    expect(forks).toMatchObject([{ last: 1 }]);
    expect(cloud.cloud.segs[forks[0]?.sid ?? ""]?.[0]?.events).toEqual(["other"]);
  });
});

test("retries: full jitter in the upper half of a doubling cap", () => {
  expect([retryDelay(1, 0), retryDelay(1, 0.999)]).toEqual([RETRY_FIRST_MS / 2, RETRY_FIRST_MS]);
  expect(retryDelay(5, 0)).toBe(RETRY_FIRST_MS * 8);
  expect(retryDelay(1_000, 0.5)).toBe(RETRY_CAP_MS * 0.75);
});

test("V12 a push under an older key epoch: the roster first, then everything is sealed anew and nothing is lost", async () => {
  const cloud = new CloudInMemory();
  const store = storeOf("A");
  await editPreference(store, "p", "{}");
  await appendTo(store, "S1", ["e1"]);
  const macs: string[] = [];
  const client = cloud.client({
    dev: "A",
    store,
    refusePush: ({ records }) => {
      const [mac = ""] = [...store.data.records.values()].map((record) => record.mac);
      if (records.length > 0) macs.push(mac);
      return macs.length === 1 ? { refused: "STALE_EPOCH", rosterSeq: 3 } : null;
    },
  });
  await drain(client);
  expect(kinds(cloud.sent)).toEqual(["hello", "pull", "pull", "push"]);
  expect(new Set(macs).size).toBe(2);
  expect([cloud.cloud.logs["S1"]?.last, cloud.cloud.recs["pref:p"]?.rev]).toEqual([1, 1]);
});
