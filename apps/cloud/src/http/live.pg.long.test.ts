import type { LivePoke } from "@codehands/api/cloud";
import type { CloudClient } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  clientOf,
  foundAccount,
  openDevice,
  openTestCloud,
  type TestAccount,
  type TestCloud,
} from "../open-cloud.test-kit.ts";
import { letIn } from "../pairing/let-in.test-kit.ts";
import { pushNote } from "./push-note.test-kit.ts";

let cloud: TestCloud;
let account: TestAccount;
beforeAll(async () => {
  cloud = await openTestCloud({ streamMs: 1_200 });
});
beforeEach(async () => {
  account = await foundAccount(cloud.url);
});
afterAll(() => cloud.close());

/** Everything a stream says until it ends. */
function listen(client: CloudClient, lastEventId?: string) {
  const told: (LivePoke & { id: string })[] = [];
  let stop = () => {};
  const ended = new Promise<unknown>((resolve) => {
    const subscription = client.live.watch.subscribe(lastEventId === undefined ? {} : { lastEventId }, {
      onData: ({ id, data }) => told.push({ ...data, id }),
      onError: resolve,
      onComplete: () => resolve("complete"),
    });
    stop = () => subscription.unsubscribe();
  });
  return { told, ended, stop: () => stop() };
}
const headsOf = (told: LivePoke[]) => told.flatMap((poke) => (poke.kind === "head" ? [poke.head] : []));

test("C101 a stream ends with bye, three times in a row, and who comes back misses nothing", async () => {
  const push = await pushNote(account);
  let lastEventId: string | undefined;
  const heads: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const stream = listen(account.device.client, lastEventId);
    await expect.poll(() => stream.told.length).toBeGreaterThan(0);
    const head = await push();
    await expect.poll(() => headsOf(stream.told).at(-1)).toBe(head);
    expect(await stream.ended).toBe("complete");
    expect(stream.told.at(-1)).toMatchObject({ kind: "bye", id: String(head) });
    lastEventId = stream.told.at(-1)?.id;
    heads.push(...headsOf(stream.told));
    // Pushed while nobody listens: the next stream begins with it.
    const missed = await push();
    if (round < 2) heads.push(missed);
  }
  expect(new Set(heads).size).toBeGreaterThan(4);
  expect(heads).toEqual([...heads].sort((a, b) => a - b));
});

test("one push reaches every listener of its account and nobody of another", async () => {
  const other = await foundAccount(cloud.url);
  const push = await pushNote(account);
  const ours = [listen(account.device.client), listen(clientOf(cloud.url, account.device.token))];
  const theirs = listen(other.device.client);
  await expect.poll(() => [...ours, theirs].every(({ told }) => told.length > 0)).toBe(true);
  const before = theirs.told.length;
  const head = await push();
  await expect.poll(() => ours.map(({ told }) => headsOf(told).at(-1))).toEqual([head, head]);
  expect(theirs.told.filter(({ kind }) => kind === "head")).toHaveLength(before);
  for (const { stop } of [...ours, theirs]) stop();
  await expect.poll(() => cloud.cloud.listeners()).toEqual({ streams: 0, bus: 0 });
});

test("a device that is cut off hears it at once, and its stream is gone", async () => {
  const { started, roster } = await letIn(cloud.url, account);
  const { id, keys } = started.newcomer;
  const device = await openDevice(cloud.url, { vault: roster.vault, id, keys });
  const stream = listen(device.client);
  await expect.poll(() => stream.told.length).toBe(1);
  // As another server of this cloud does it: nothing but the row tells.
  await cloud.sql`update devices set revoked_at = now() where id = ${id}`;
  expect(await stream.ended).toMatchObject({ code: "unauthorized" });
  await expect.poll(() => cloud.cloud.listeners()).toEqual({ streams: 0, bus: 0 });
});

test("a login is not enough to listen, and a stream without a token ends with the reason", async () => {
  expect(await listen(account.person.client).ended).toMatchObject({ code: "refused" });
  expect(await listen(clientOf(cloud.url, "A".repeat(43))).ended).toMatchObject({ code: "unauthorized" });
});
