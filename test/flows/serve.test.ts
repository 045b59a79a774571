import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { SealingDevice } from "@codehands/cloud/sealing-device";
import { foundAccount } from "@codehands/cloud/test-cloud";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive, openTempHome, type TempHome, until } from "../kit/temp-home.ts";
import { processesOf, type ServedCloud, serveCloud } from "./serve-cloud.ts";

let machine: TempHome;
let served: ServedCloud[] = [];
beforeEach(() => {
  machine = openTempHome();
});
afterEach(async () => {
  await Promise.all(served.filter(({ pid }) => isAlive(pid)).map((each) => each.end()));
  served = [];
  await machine.remove();
});

async function serve(...words: string[]): Promise<ServedCloud> {
  const cloud = await serveCloud(machine, { words });
  console.log(`codehands serve: ready after ${cloud.readyAfter} ms`);
  served.push(cloud);
  return cloud;
}

test("codehands serve brings a cloud up with a database of its own, ends it in order, and finds it again", async () => {
  const dataDir = join(machine.root, "cloud");
  for (const _round of ["first", "again"]) {
    const cloud = await serve("--port", "0", "--data-dir", dataDir);
    expect((await fetch(`${cloud.url}/readyz`)).status).toBe(200);
    expect(processesOf(dataDir)).not.toEqual([]);
    expect(await cloud.end()).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  }
});

test("G01 G14 killed with kill -9 in the middle of pushes, it comes back on its port with everything acknowledged, and one database", async () => {
  const dataDir = join(machine.root, "cloud");
  const database = join(dataDir, "database");
  const first = await serve("--port", "0", "--data-dir", dataDir);
  const account = await foundAccount(first.url);
  const device = await SealingDevice.open(account, account.device);
  const acknowledged: string[] = [];
  const pushing = (async () => {
    for (let note = 0; ; note++) {
      const text = `note ${note} ${randomUUID()}`;
      await device.push({ records: [{ kind: RECORD_KINDS.note, id: randomUUID(), body: { text } }] });
      acknowledged.push(text);
    }
  })().catch(() => "cut");
  await until(() => acknowledged.length > 40);
  const [server] = processesOf(database);
  await first.kill();
  expect(await pushing).toBe("cut");
  // PostgreSQL outlives the cloud that started it; the next cloud ends it.
  expect(processesOf(database)).toContain(server);

  const second = await serve("--port", String(first.port), "--data-dir", dataDir);
  expect(second.url).toBe(first.url);
  const servers = processesOf(database);
  expect([servers.length, servers.includes(server ?? 0)]).toEqual([1, false]);
  const read = await device.readAll();
  expect(acknowledged.filter((text) => !read.includes(text))).toEqual([]);
  // The same process of the device goes on with the same token.
  await device.push({ records: [{ kind: RECORD_KINDS.note, id: randomUUID(), body: { text: "after the kill" } }] });
  expect(await device.readAll()).toContain("after the kill");
  expect(await second.end()).toBe(0);
  expect(processesOf(database)).toEqual([]);
});
