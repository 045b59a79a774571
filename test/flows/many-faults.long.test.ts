import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, expect, test } from "vitest";
import { EMAIL, openMachine, PASSWORD, pair, parse, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { approve, list, log, show, startSession, statusAt, sync } from "../kit/session-words.ts";
import { openGate, type TcpGate } from "../kit/tcp-gate.ts";
import { type TempHome, until } from "../kit/temp-home.ts";

interface DeviceJson {
  id: string;
  current: boolean;
  revokedAt: string | null;
}
let machines: TempHome[] = [];
let cloud: ServedCloud | null = null;
let gate: TcpGate | null = null;
afterEach(async () => {
  // Before the machines: it works in the home of one of them.
  await cloud?.stop();
  for (const machine of machines) await machine.remove();
  await gate?.close();
  machines = [];
  cloud = null;
  gate = null;
});

function open(env: Record<string, string> = {}): TempHome {
  const machine = openMachine(env);
  machines.push(machine);
  return machine;
}

/**
 * A cloud, a laptop with a repository and an agent that writes `ticks` lines, and a desk that is paired with it. With
 * `rest` the agent writes that many more, but not before `goOn`: its run is not over however slow the commands are.
 */
async function openPlace({ ticks = 20, rest = 0, everyMs = 20, behindGate = false } = {}) {
  const host = open();
  const laptop = open();
  const desk = open();
  const door = join(laptop.root, "door");
  const afterDoor = [{ waitFor: door }, { count: { to: rest, everyMs, textBytes: 200 } }];
  const script = scriptedAgent(join(laptop.root, "script.json"), [
    { init: {} },
    { count: { to: ticks, everyMs, textBytes: 200 } },
    ...(rest > 0 ? afterDoor : []),
    { write: { path: "made.txt", text: "made by the agent\n" } },
    { result: {} },
  ]);
  Object.assign(laptop.env, asClaude(script));
  const repo = join(laptop.root, "repo");
  await makeSampleRepo(repo);
  gate = behindGate ? await openGate() : null;
  const env: Record<string, string> = gate === null ? {} : { CODEHANDS_CLOUD_ORIGIN: gate.url };
  cloud = await serveCloud(host, { dataDir: join(host.root, "cloud"), env });
  gate?.lead(cloud.url);
  const url = gate?.url ?? cloud.url;
  const recoveryCode = await signUp(laptop, url);
  await pair(laptop, desk, url);
  return { host, laptop, desk, repo, url, recoveryCode, cloud, goOn: () => writeFileSync(door, "") };
}

const agree = async (a: TempHome, b: TempHome, id: string): Promise<void> => {
  await until(async () => JSON.stringify(await log(a, id)) === JSON.stringify(await log(b, id)), 90);
};

test("the network is cut in the middle of a run and comes back: the run goes on, and nothing is lost or doubled", async () => {
  const { laptop, desk, repo, goOn } = await openPlace({ ticks: 50, rest: 50, everyMs: 30, behindGate: true });
  const id = await startSession(laptop, repo);
  await until(async () => (await log(desk, id)).length > 20, 60);
  gate?.shut();
  goOn();
  await statusAt(laptop, id, "awaiting_approval");
  const held = await sync(laptop);
  expect(held.pendingPush.events).toBeGreaterThan(0);
  expect(held.state).toBe("retrying");
  gate?.open();
  await statusAt(desk, id, "awaiting_approval");
  await agree(laptop, desk, id);
  await until(async () => (await sync(laptop)).pendingPush.events === 0, 60);
});

test("a device is removed in the middle of a run: it is refused at once, keeps what it has, and reads nothing newer", async () => {
  const { laptop, desk, repo, goOn } = await openPlace({ ticks: 75, rest: 75, everyMs: 30 });
  const id = await startSession(laptop, repo);
  await until(async () => (await log(desk, id)).length > 10, 60);
  const { devices } = parse(await laptop.cli(["devices", "ls", "--json"])) as { devices: DeviceJson[] };
  const other = devices.find((device) => !device.current);
  expect((await laptop.cli(["devices", "revoke", other?.id ?? "", "--yes"])).exitCode).toBe(0);
  await until(async () => (await sync(desk)).ask === "revoked", 20);
  const kept = (await log(desk, id)).length;
  expect(kept).toBeGreaterThan(10);
  goOn();
  await statusAt(laptop, id, "awaiting_approval");
  expect((await log(laptop, id)).length).toBeGreaterThan(kept);
  expect((await log(desk, id)).length).toBe(kept);
  const refused = await desk.cli(["approve", id]);
  expect(refused.exitCode).not.toBe(0);
  expect((await show(laptop, id))?.status).toBe("awaiting_approval");
});

test("the laptop is lost: the recovery code on a new machine brings the history back and names the old one", async () => {
  const { laptop, desk, repo, url, recoveryCode } = await openPlace();
  const id = await startSession(laptop, repo);
  await statusAt(desk, id, "awaiting_approval");
  await until(async () => (await sync(laptop)).pendingPush.events === 0, 60);
  const events = await log(laptop, id);
  await laptop.remove();
  const fresh = open();
  const args = ["recover", "--server", url, "--email", EMAIL, "--password-stdin", "--json"];
  const back = parse(await fresh.cli(args, { input: `${PASSWORD}\n${recoveryCode}\n` })) as {
    recoveryCode: string;
    others: { id: string }[];
    caution: string;
  };
  expect(back.recoveryCode).not.toBe(recoveryCode);
  expect(back.others).toHaveLength(2);
  await until(async () => (await show(fresh, id)) !== null, 60);
  await until(async () => (await log(fresh, id)).length === events.length, 60);
  expect(await log(fresh, id)).toEqual(events);
  // The old code is used up.
  const again = await open().cli(args, { input: `${PASSWORD}\n${recoveryCode}\n` });
  expect(again.exitCode).not.toBe(0);
});

test("the cloud is killed the hard way in the middle of a run and started again: nothing acknowledged is lost", async () => {
  const place = await openPlace({ ticks: 120, everyMs: 30 });
  const { laptop, desk, repo, host } = place;
  const id = await startSession(laptop, repo);
  await until(async () => (await log(desk, id)).length > 20, 60);
  const port = Number(new URL(place.url).port);
  await place.cloud.kill();
  cloud = await serveCloud(host, { dataDir: place.cloud.dataDir, port });
  await statusAt(desk, id, "awaiting_approval");
  await agree(laptop, desk, id);
});

test("the cloud is put back to yesterday: what the devices hold goes back into it", async () => {
  const place = await openPlace();
  const { laptop, desk, repo, host } = place;
  const first = await startSession(laptop, repo);
  await statusAt(desk, first, "awaiting_approval");
  const port = Number(new URL(place.url).port);
  const { dataDir } = place.cloud;
  await place.cloud.stop();
  cpSync(dataDir, `${dataDir}-yesterday`, { recursive: true });
  cloud = await serveCloud(host, { dataDir, port });
  const second = await startSession(laptop, repo);
  await statusAt(desk, second, "awaiting_approval");
  await cloud.stop();
  rmSync(dataDir, { recursive: true });
  cpSync(`${dataDir}-yesterday`, dataDir, { recursive: true });
  cloud = await serveCloud(host, { dataDir, port, args: ["--restored"] });
  await until(async () => (await sync(laptop)).pendingPush.events === 0, 90);
  // A device that joins now gets both from the cloud.
  const fresh = open();
  await pair(laptop, fresh, place.url);
  await until(async () => (await show(fresh, second))?.status === "awaiting_approval", 90);
  await agree(laptop, fresh, first);
  await agree(laptop, fresh, second);
  expect((await sync(desk)).suspicions).toEqual([]);
});

test("the laptop's database is put back to yesterday: it is told as a copy, and going on as this device loses nothing", async () => {
  const { laptop, desk, repo } = await openPlace();
  const first = await startSession(laptop, repo);
  await statusAt(desk, first, "awaiting_approval");
  expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
  const copies = ["state.db", "keys.json"].map((name) => join(laptop.home, name));
  for (const file of copies) cpSync(file, `${file}.yesterday`);
  const second = await startSession(laptop, repo);
  await statusAt(desk, second, "awaiting_approval");
  const seen = await log(desk, second);
  expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
  for (const file of copies) {
    for (const tail of ["-wal", "-shm"]) rmSync(`${file}${tail}`, { force: true });
    cpSync(`${file}.yesterday`, file);
  }
  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  await until(async () => (await sync(laptop)).ask === "copy", 60);
  expect((await laptop.cli(["sync", "identity", "this", "--yes"])).exitCode).toBe(0);
  await until(async () => (await sync(laptop)).ask === null, 60);
  const third = await startSession(laptop, repo);
  await statusAt(desk, third, "awaiting_approval");
  await agree(laptop, desk, third);
  expect(await log(desk, second)).toEqual(seen);
});

test("the laptop signs out with work that the account never heard of: let in again it brings that, and nothing twice", async () => {
  const { laptop, desk, repo, url } = await openPlace({ behindGate: true });
  const told = await startSession(laptop, repo);
  await statusAt(desk, told, "awaiting_approval");
  await until(async () => (await sync(laptop)).pendingPush.events === 0, 60);
  gate?.shut();
  const alone = await startSession(laptop, repo);
  await statusAt(laptop, alone, "awaiting_approval");
  expect((await laptop.cli(["logout", "--yes"])).exitCode).toBe(0);
  gate?.open();
  await pair(desk, laptop, url);
  await statusAt(desk, alone, "awaiting_approval");
  await agree(laptop, desk, alone);
  await approve(desk, alone);
  await statusAt(laptop, alone, "approved");
  for (const machine of [laptop, desk]) {
    expect((await list(machine)).map(({ id }) => id).sort()).toEqual([told, alone].sort());
    expect(await sync(machine)).toMatchObject({ ask: null, suspicions: [], refused: [] });
  }
});
