import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { openCutProxy } from "../kit/cut-proxy.ts";
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

/**
 * Cuts the network between an owner and the cloud at a byte of its exchange, at every `step`th one in turn, and lets it come
 * back: every event is on another device once and in order, and the record is the last one.
 */
export async function cutStory({ step, most }: { step: number; most: number }): Promise<void> {
  const devices = clientDevices();
  // The device signs for the address it dials, which is the proxy's: the cloud has to know it.
  const cloud = await openCloudProcess();
  const proxy = await openCutProxy(cloud.url);
  try {
    await cloud.rest();
    const proxied = [new URL(cloud.url).origin, proxy.url].join();
    await cloud.start([], { CODEHANDS_CLOUD_ORIGIN: proxied });
    const owner = await devices.open("owner");
    await signUpWith(owner, proxy.url);
    const reader = await devices.open("reader");
    await pairWith(owner, reader, proxy.url);
    const id = randomUUID();
    const lines: string[] = [];
    await exchanged(owner);
    proxy.cutAfter(null);
    lines.push(...(await work(owner, id, 0)));
    await exchanged(owner);
    const length = proxy.passed();
    let turns = 0;
    for (let at = 1; at < length && turns < most; at += step) {
      turns += 1;
      proxy.cutAfter(at);
      lines.push(...(await work(owner, id, turns)));
      await exchanged(owner);
    }
    proxy.cutAfter(null);
    expect(turns).toBeGreaterThan(5);
    expect(proxy.cuts()).toBeGreaterThan(turns / 4);
    await followOn(reader, id, owner);
    await until(() => linesOn(reader, id).length >= lines.length, 60);
    expect(linesOn(reader, id)).toEqual(lines);
    await until(async () => (await waitForRecord(reader, { kind: KIND, id })) === JSON.stringify({ turn: turns }), 60);
    expect(await reader.device.sync.now()).toMatchObject({ refused: [], suspicions: [] });
    expect(owner.faults).toEqual([]);
  } finally {
    await devices.close();
    await proxy.close();
    await cloud.stop();
  }
}
