import { RECORD_KINDS } from "@codehands/contracts";
import { type HeldRecord, recordKey } from "@codehands/sync";
import { expect, test } from "vitest";
import { OtherDevice, sessionId } from "../replica/other-device.test-kit.ts";
import { KindCache } from "./kind-cache.ts";
import { MemoryDeviceStore } from "./memory-device-store.ts";

const KIND = RECORD_KINDS.session;
const titles = (records: HeldRecord[]): string[] =>
  records.map(({ body }) => (JSON.parse(body ?? "{}") as { title: string }).title).sort();

/** A cache over a store that counts what is read. */
function cached() {
  const store = new MemoryDeviceStore("me");
  const reads: string[] = [];
  const fault = { next: null as Error | null };
  const cache = new KindCache({
    async ofKind(kind) {
      reads.push("all");
      if (fault.next) throw fault.next;
      return store.recordsOf(kind);
    },
    async byKey(keys) {
      reads.push(keys.map(({ id }) => id).join());
      return [...(await store.read({ records: keys })).records.values()];
    },
  });
  store.onCommit(({ records }) => cache.touch(records));
  return { store, cache, reads, fault, laptop: new OtherDevice(store) };
}

test("records are read once, and after that those that were written", async () => {
  const { cache, reads, laptop, store } = cached();
  await laptop.session(1, { title: "one" });
  await laptop.session(2, { title: "two" });
  expect(titles(await cache.recordsOf(KIND))).toEqual(["one", "two"]);
  await laptop.session(2, { title: "zwei" });
  await laptop.session(3, { title: "three" });
  await laptop.introduces();
  const key = { kind: KIND, id: sessionId(1) };
  await store.apply({}, () => ({ changes: [{ op: "forget-record", key }], result: undefined }));
  expect(titles(await cache.recordsOf(KIND))).toEqual(["three", "zwei"]);
  expect(await cache.recordsOf(KIND)).toEqual(await store.recordsOf(KIND));
  expect(reads).toEqual(["all", [2, 3, 1].map(sessionId).join()]);
});

test("what is written while it is read is not missed, whoever asks", async () => {
  const { cache, laptop, store } = cached();
  await laptop.session(1, { title: "one" });
  const early = cache.recordsOf(KIND);
  await laptop.session(1, { title: "uno" });
  await early;
  expect(titles(await cache.recordsOf(KIND))).toEqual(["uno"]);
  await laptop.session(2, { title: "two" });
  const [first, second] = await Promise.all([cache.recordsOf(KIND), cache.recordsOf(KIND)]);
  expect([titles(first), titles(second)]).toEqual([
    ["two", "uno"],
    ["two", "uno"],
  ]);
  cache.touch([recordKey({ kind: 99, id: "x" })]);
  expect((await cache.recordsOf(KIND)).length).toBe((await store.recordsOf(KIND)).length);
});

test("after a fault, and after everything changed, all of it is read again", async () => {
  const { cache, laptop, fault, reads } = cached();
  await laptop.session(1, { title: "one" });
  fault.next = new Error("the disk");
  await expect(cache.recordsOf(KIND)).rejects.toThrow("the disk");
  fault.next = null;
  expect(titles(await cache.recordsOf(KIND))).toEqual(["one"]);
  cache.forget();
  expect(titles(await cache.recordsOf(KIND))).toEqual(["one"]);
  expect(reads).toEqual(["all", "all", "all"]);
});
