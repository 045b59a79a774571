import { randomUUID } from "node:crypto";
import type { DeviceCaller, LivePoke } from "@codehands/api/cloud";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, openTestDatabase, type TestDatabase } from "../database/test-database.test-kit.ts";
import { newId, openSyncStage, type SyncStage } from "../sync/sync-stage.test-kit.ts";
import { createLivePort } from "./create-live-port.ts";
import { createMemoryPokeBus } from "./poke-bus.ts";

let store: TestDatabase;
beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.drop());

async function watching() {
  const { accountId, devices } = await makeAccount(store.database.sql, 1);
  const caller: DeviceCaller = { kind: "device", accountId, deviceId: devices[0]?.deviceId ?? "" };
  const bus = createMemoryPokeBus();
  const [leave, stop] = [new AbortController(), new AbortController()];
  const port = createLivePort({ sql: store.database.sql, bus, stopping: stop.signal });
  const stream = port.watch(caller, leave.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<LivePoke | "end"> => {
    const { value, done } = await stream.next();
    return done === true ? "end" : value;
  };
  return { caller, bus, leave, stop, next };
}

test("the head as it is comes first, then each newer one, and never an older one", async () => {
  const { caller, bus, next } = await watching();
  expect(await next()).toEqual({ kind: "head", head: 0 });
  const second = next();
  bus.poke(caller.accountId, { head: 3 });
  expect(await second).toEqual({ kind: "head", head: 3 });
  bus.poke(caller.accountId, { head: 2 });
  bus.poke(caller.accountId, { head: 3 });
  const third = next();
  bus.poke(caller.accountId, { head: 4 });
  expect(await third).toEqual({ kind: "head", head: 4 });
});

test("a slow reader is told the newest head only", async () => {
  const { caller, bus, next } = await watching();
  await next();
  for (let head = 1; head <= 1_000; head++) bus.poke(caller.accountId, { head });
  expect(await next()).toEqual({ kind: "head", head: 1_000 });
});

test("a stream ends when its reader leaves, when its device is cut off, and with bye when the server stops; no listener stays", async () => {
  for (const [end, last] of [
    ["leave", "end"],
    ["cut", "end"],
    ["stop", { kind: "bye" }],
  ] as const) {
    const { caller, bus, leave, stop, next } = await watching();
    await next();
    expect(bus.listeners()).toBe(1);
    const following = next();
    bus.cut(caller.accountId, randomUUID());
    if (end === "leave") leave.abort();
    if (end === "cut") bus.cut(caller.accountId, caller.deviceId);
    if (end === "stop") stop.abort();
    expect(await following).toEqual(last);
    expect(await next()).toBe("end");
    expect(bus.listeners()).toBe(0);
  }
});

test("a device that was cut off gets no stream", async () => {
  const { caller, bus, next } = await watching();
  await store.database.sql`update devices set revoked_at = now() where id = ${caller.deviceId}`;
  expect(await next()).toBe("end");
  expect(bus.listeners()).toBe(0);
});

test("a push pokes its own account after the commit with the new head; one that stored nothing does not", async () => {
  const stage: SyncStage = await openSyncStage();
  try {
    const [one] = await stage.accountWith(1);
    const [other] = await stage.accountWith(1);
    if (one === undefined || other === undefined) throw new Error("no devices");
    const heard: unknown[] = [];
    const foreign: unknown[] = [];
    stage.bus.listen(one.caller.accountId, { onPoke: (poke) => heard.push(poke), onCut: () => {} });
    stage.bus.listen(other.caller.accountId, { onPoke: (poke) => foreign.push(poke), onCut: () => {} });
    const items = { logs: [{ streamId: newId(), from: 1, events: 2 }] };
    await one.push(items);
    await one.push(items);
    await one.push({ logs: [{ streamId: newId(), from: 9, events: 2 }] });
    await one.push({ logs: [{ streamId: newId(), from: 1, events: 2 }] });
    expect(heard).toEqual([{ head: 1 }, { head: 2 }]);
    expect(foreign).toEqual([]);
  } finally {
    await stage.drop();
  }
});
