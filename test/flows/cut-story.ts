import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { type CutProxy, openCutProxy } from "../kit/cut-proxy.ts";
import {
  appendLines,
  followOn,
  linesOn,
  pairWith,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { openCloudProcess } from "../kit/open-cloud-process.ts";
import { until } from "../kit/temp-home.ts";

const KIND = 3;

/** Exchanges until nothing is left, however often the connection is cut. */
async function exchanged({ device }: TestDevice): Promise<void> {
  await until(async () => {
    const { state, pendingPush } = await device.sync.now();
    return state === "resting" && pendingPush.events + pendingPush.records === 0;
  }, 60);
}

/** One piece of work: a record that is changed, and three events. */
async function work(owner: TestDevice, id: string, turn: number): Promise<string[]> {
  const lines = [1, 2, 3].map((part) => JSON.stringify({ id: `${turn}.${part}`, text: "x".repeat(40) }));
  await writeRecord(owner, { kind: KIND, id, body: { turn } });
  await appendLines(owner, id, lines);
  return lines;
}

interface Cuts {
  /** Every so many bytes; 1 is each of them. */
  step: number;
  /** At most so many cuts by each owner. */
  most: number;
  /** So many devices share the bytes between them, each with a network of its own. */
  owners: number;
}

/**
 * Cuts the network between an owner and the cloud at a byte of its exchange, at every `step`th one in turn, and lets it come
 * back: every event is on another device once and in order, and the record is the last one.
 */
export async function cutStory({ step, most, owners }: Cuts): Promise<void> {
  const devices = clientDevices();
  // A device signs for the address it dials, which is its proxy's: the cloud has to know them.
  const cloud = await openCloudProcess();
  const proxies = await Promise.all(Array.from({ length: owners }, () => openCutProxy(cloud.url)));
  try {
    await cloud.rest();
    const proxied = [new URL(cloud.url).origin, ...proxies.map(({ url }) => url)].join();
    await cloud.start([], { CODEHANDS_CLOUD_ORIGIN: proxied });
    const reader = await devices.open("reader");
    await signUpWith(reader, cloud.url);
    const pairs: { owner: TestDevice; proxy: CutProxy }[] = [];
    for (const proxy of proxies) {
      const owner = await devices.open(`owner ${pairs.length}`);
      await pairWith(reader, owner, proxy.url);
      pairs.push({ owner, proxy });
    }
    const wait = pairs.map(({ owner, proxy }, at) =>
      cutAt({ owner, proxy, first: 1 + at * step, step: step * owners, most }),
    );
    for (const { owner, id, lines, turns } of await Promise.all(wait)) {
      await followOn(reader, id, owner);
      await until(() => linesOn(reader, id).length >= lines.length, 60);
      expect(linesOn(reader, id)).toEqual(lines);
      const body = JSON.stringify({ turn: turns });
      await until(async () => (await waitForRecord(reader, { kind: KIND, id })) === body, 60);
      expect(owner.faults).toEqual([]);
    }
    expect(await reader.device.sync.now()).toMatchObject({ refused: [], suspicions: [] });
  } finally {
    await devices.close();
    for (const proxy of proxies) await proxy.close();
    await cloud.stop();
  }
}

/** The same piece of work again and again, cut a few bytes later each time. */
async function cutAt({ owner, proxy, first, step, most }: CutOwner): Promise<Story> {
  const id = randomUUID();
  const lines: string[] = [];
  await exchanged(owner);
  proxy.cutAfter(null);
  lines.push(...(await work(owner, id, 0)));
  await exchanged(owner);
  const length = proxy.passed();
  let turns = 0;
  for (let at = first; at < length && turns < most; at += step) {
    turns += 1;
    proxy.cutAfter(at);
    lines.push(...(await work(owner, id, turns)));
    await exchanged(owner);
  }
  proxy.cutAfter(null);
  expect(turns).toBeGreaterThan(5);
  expect(proxy.cuts()).toBeGreaterThan(turns / 4);
  return { owner, id, lines, turns };
}

interface CutOwner {
  owner: TestDevice;
  proxy: CutProxy;
  first: number;
  step: number;
  most: number;
}

interface Story {
  owner: TestDevice;
  id: string;
  lines: string[];
  turns: number;
}
