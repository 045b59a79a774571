import { randomUUID } from "node:crypto";
import type { WatchFrame } from "@codehands/api";
import { createReplicaSessions } from "@codehands/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import {
  appendLines,
  pairWith,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { type CloudProcess, openCloudProcess } from "../kit/open-cloud-process.ts";
import { sessionBody } from "../kit/session-body.ts";
import { until } from "../kit/temp-home.ts";

const devices = clientDevices();
const PERSON = { runId: null };
const TREE = "b".repeat(40);
let cloud: CloudProcess;
let laptop: TestDevice;
let phone: TestDevice;

beforeAll(async () => {
  cloud = await openCloudProcess();
  laptop = await devices.open("laptop");
  await signUpWith(laptop, cloud.url);
  phone = await devices.open("phone");
  await pairWith(laptop, phone, cloud.url);
});
afterAll(async () => {
  await devices.close();
  await cloud.stop();
});

const line = (seq: number): string =>
  JSON.stringify({
    id: randomUUID(),
    seq,
    type: "message",
    at: "2026-03-01T12:00:00.000Z",
    runId: null,
    payload: { text: `${seq}` },
  });
const lines = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => line(from + at));
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** A session of the laptop, as its record tells it now. */
async function tell(id: string, change: Record<string, unknown> = {}): Promise<void> {
  const log = await laptop.store.logOf(id);
  const tail = { lastSeq: log?.lastSeq ?? 0, tailMac: log?.tailMac ?? "" };
  await writeRecord(laptop, { kind: 3, id, body: sessionBody(id, { ...tail, ...change }) });
}
const pushed = (id: string): Promise<void> =>
  until(async () => {
    const log = await laptop.store.logOf(id);
    return log !== null && log.pushedSeq === log.lastSeq;
  });

test("S35 V20 the newest events of a long session show at once, read backwards; all of them come, dense and in order", async () => {
  const id = randomUUID();
  await appendLines(laptop, id, lines(1, 3_000));
  await tell(id);
  await pushed(id);
  await waitForRecord(phone, { kind: 3, id });
  await until(async () => (await phone.store.logOf(id))?.row?.lastSeq === 3_000);
  expect(await phone.store.logOf(id)).toMatchObject({ lastSeq: 0, followed: false });
  const newest = await phone.device.sessions.events({ sessionId: id, afterSeq: 0, limit: 200, newest: true });
  expect(newest.events.map(({ seq }) => seq)).toEqual(range(2_801, 3_000));
  expect(newest.lastSeq).toBe(3_000);
  const stop = new AbortController();
  const seen: number[] = [];
  for await (const frame of phone.device.sessions.watch({ sessionId: id, afterSeq: 0 }, stop.signal)) {
    if (frame.kind === "event") seen.push(frame.event.seq);
    if (seen.at(-1) === 3_000) stop.abort();
  }
  expect(seen).toEqual(range(1, 3_000));
  expect(await phone.device.sessions.get(id)).toMatchObject({ remote: { heldSeq: 3_000, warning: null } });
});

test("V21 what was signed and has not come is told; it goes with the events", async () => {
  const id = randomUUID();
  await appendLines(laptop, id, lines(1, 4));
  const log = await laptop.store.logOf(id);
  // The owner signs two events more than it ever sends: to a reader that is a cloud that keeps them back.
  await tell(id, { lastSeq: 6 });
  await waitForRecord(phone, { kind: 3, id });
  const later = new Date(Date.now() + 60_000).toISOString();
  const me = { deviceId: phone.device.writing()?.deviceId ?? "", name: "phone" };
  const view = createReplicaSessions({
    store: phone.store,
    me: () => me,
    changed: () => phone.device.changed(),
    eventsBefore: async () => [],
    clock: () => later,
    newId: randomUUID,
    patienceMs: 0,
  });
  await until(async () => (await phone.store.logOf(id))?.row?.lastSeq === 4);
  expect((await view.get(id))?.remote?.warning).toBe("2 events of this session have not been delivered.");
  await tell(id, { lastSeq: 4, tailMac: log?.tailMac });
  await until(async () => (await view.get(id))?.remote?.warning === null);
});

test("V12 V27 a command that waited while the key changed is sealed again, and its owner takes that one on", async () => {
  const id = randomUUID();
  await appendLines(laptop, id, lines(1, 2));
  await tell(id, { status: "awaiting_approval" });
  await pushed(id);
  await waitForRecord(phone, { kind: 3, id });
  const old = await devices.open("old phone", { kind: "browser" });
  const oldId = await pairWith(laptop, old, cloud.url);
  await laptop.device.sync.pause();
  const commandId = randomUUID();
  const command = () => phone.store.data.records.get(`5:${commandId}`);
  const sent = phone.device.sessions.approve({ commandId, sessionId: id, expects: [], treeId: TREE }, PERSON);
  await until(() => command()?.base?.rev === 1);
  expect(await phone.device.devices.revoke(oldId)).toMatchObject({ ok: true });
  await until(() => command()?.base?.rev === 2);
  expect(command()?.base).toMatchObject({ keyId: 2, deleted: false });
  expect(await sent).toMatchObject({ ok: true, pending: { state: "queued", device: { name: "laptop" } } });
  await laptop.device.sync.resume();
  await until(() => laptop.store.data.applied.has(commandId));
  expect(laptop.store.data.records.get(`5:${commandId}`)).toMatchObject({ rev: 2, base: { keyId: 2 } });
  await until(async () => (await phone.device.sessions.commandState(commandId))?.state === "delivered");
  const refusal = {
    state: "refused",
    boot: "b",
    code: "stale_tree",
    reason: "Another tree.",
    result: { next: "diff" },
  };
  laptop.store.data.applied.set(commandId, JSON.stringify(refusal));
  laptop.device.changed();
  await until(async () => (await phone.device.sessions.commandState(commandId))?.state === "refused");
  const again = await phone.device.sessions.approve({ commandId, sessionId: id, expects: [], treeId: TREE }, PERSON);
  expect(again).toMatchObject({ ok: false, code: "stale_tree", reason: "Another tree.", next: "diff" });
});

test("S32 a command that was taken back before its owner came is never carried out", async () => {
  const id = randomUUID();
  await tell(id, { status: "running" });
  await waitForRecord(phone, { kind: 3, id });
  await laptop.device.sync.pause();
  const commandId = randomUUID();
  const sent = phone.device.sessions.stop({ commandId, sessionId: id, expects: [] }, PERSON);
  await until(() => phone.store.data.records.get(`5:${commandId}`)?.base?.rev === 1);
  expect(await phone.device.sessions.withdraw(commandId, PERSON)).toMatchObject({ state: "withdrawn", kind: "stop" });
  expect(await sent).toMatchObject({ ok: false, code: "expired", reason: expect.stringContaining("taken back") });
  await until(() => phone.store.data.records.get(`5:${commandId}`)?.base?.deleted === true);
  await laptop.device.sync.resume();
  await laptop.device.sync.now();
  expect(laptop.store.data.records.get(`5:${commandId}`)).toMatchObject({ deleted: true });
  expect(laptop.store.data.applied.has(commandId)).toBe(false);
  expect([...laptop.faults, ...phone.faults]).toEqual([]);
});

test("what is not this account's is nothing here", async () => {
  const stranger = await devices.open("stranger");
  await signUpWith(stranger, cloud.url);
  const frames: WatchFrame[] = [];
  for await (const frame of stranger.device.sessions.watch(
    { sessionId: randomUUID(), afterSeq: 0 },
    new AbortController().signal,
  ))
    frames.push(frame);
  expect([frames, (await stranger.device.sessions.list({ limit: 9 })).sessions]).toEqual([[], []]);
});
