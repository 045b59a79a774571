import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterEach, beforeEach, expect, test } from "vitest";
import { git } from "../kit/git.ts";
import { openMachine, pair, parse, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { approve, list, log, type SessionJson, show, statusAt, sync } from "../kit/session-words.ts";
import { type TempHome, until } from "../kit/temp-home.ts";

let machines: TempHome[] = [];
let cloud: ServedCloud | null = null;
/** What agents wait for: a file of their own name in here. */
let doors = "";
const finish = (name: string) => writeFileSync(join(doors, name), "");
beforeEach(() => {
  doors = mkdtempSync(join(tmpdir(), "codehands-doors-"));
});
afterEach(async () => {
  // An agent that still waits ends by itself: no daemon lives on to end it.
  for (const name of ["second", "third"]) finish(name);
  // Before the machines: it works in the home of one of them.
  await cloud?.stop();
  for (const machine of machines) await machine.remove();
  rmSync(doors, { recursive: true });
  machines = [];
  cloud = null;
});

const open = (): TempHome => {
  const machine = openMachine();
  machines.push(machine);
  return machine;
};
const atRest = (machine: TempHome) =>
  until(async () => {
    const { state, pendingPush } = await sync(machine);
    return state === "resting" && pendingPush.events === 0;
  }, 60);
const asked = (machine: TempHome, ask: string | null) => until(async () => (await sync(machine)).ask === ask, 60);
/** Everybody tells the same of a session, without a gap. */
async function agree(all: readonly TempHome[], id: string): Promise<void> {
  const [first, ...others] = all as [TempHome, ...TempHome[]];
  const events = await log(first, id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  for (const other of others)
    await until(async () => JSON.stringify(await log(other, id)) === JSON.stringify(events), 60);
}

/**
 * A cloud, a laptop with a session that waits for its person and one at work, a desk; and a copy of the laptop's home,
 * made with `cp -a` while its daemon was stopped.
 */
async function openPlace() {
  const [host, laptop, desk, copy] = [open(), open(), open(), open()];
  const repo = join(laptop.root, "repo");
  const script = join(laptop.root, "script.json");
  const made = [{ write: { path: "made.txt", text: "made by the agent\n" } }, { result: {} }];
  /** What the sessions that start from now on do; those that wait go on with `finish`. */
  const plan = (name: string, waits: boolean) =>
    scriptedAgent(script, [
      { init: {} },
      { text: `${name} begins` },
      ...(waits ? [{ waitFor: join(doors, name) }, { text: `${name} ends` }] : []),
      ...made,
    ]);
  const start = async (machine: TempHome, name: string, waits = false): Promise<string> => {
    plan(name, waits);
    const run = parse(await machine.cli(["run", name, "-C", repo, "--agent", "claude-code", "--detach", "--json"]));
    const { id } = run as { id: string };
    await until(async () => JSON.stringify(await log(machine, id)).includes(`${name} begins`), 30);
    return id;
  };
  for (const machine of [laptop, copy]) Object.assign(machine.env, asClaude(plan("none", false)));
  await makeSampleRepo(repo);
  cloud = await serveCloud(host, { dataDir: join(host.root, "cloud") });
  await signUp(laptop, cloud.url);
  await pair(laptop, desk, cloud.url);
  const waiting = await start(laptop, "first");
  await statusAt(desk, waiting, "awaiting_approval");
  const running = await start(laptop, "second", true);
  await statusAt(desk, running, "running");
  await atRest(laptop);
  const { deviceId } = parse(await laptop.cli(["whoami", "--json"])) as { deviceId: string };
  expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
  execFileSync("cp", ["-a", laptop.home, copy.home]);
  return { laptop, desk, copy, repo, plan, start, waiting, running, laptopId: deviceId };
}

test("S3 S16 a copied home is asked, loses nothing, and goes on as a device of its own", async () => {
  const { laptop, desk, copy, repo, start, waiting, running, laptopId } = await openPlace();
  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  await atRest(laptop);
  expect((await copy.cli(["daemon", "start"])).exitCode).toBe(0);
  await asked(copy, "copy");
  const told = (await copy.cli(["sync", "status"])).stdout;
  expect(told).toMatch(/Stopped: a person has to act/);
  expect(told).toMatch(/this home was copied.+Everything here is kept/s);
  expect(told).toMatch(/codehands sync identity new .+ codehands sync identity this/);
  const doctor = await copy.cli(["doctor"]);
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(/fail +sync: .+this home was copied.+fix: codehands sync identity new/);
  expect((await sync(laptop)).ask).toBeNull();

  // Two homes on one machine must not work on the same files.
  const refused = await copy.cli(["approve", waiting]);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toMatch(/This home is a copy of .+Nothing was changed/);
  // What the copy does meanwhile is its own; as long as an agent of it works, it stays what it is.
  const alone = await start(copy, "third", true);
  const notNow = await copy.cli(["sync", "identity", "new", "--yes"]);
  expect(notNow.stdout + notNow.stderr).toMatch(/An agent of this copy is at work/);
  expect((await sync(copy)).ask).toBe("copy");
  finish("third");
  await statusAt(copy, alone, "awaiting_approval");
  const ownEvents = await log(copy, alone);
  expect(await show(desk, alone)).toBeNull();

  expect((await copy.cli(["sync", "identity", "new", "--yes"])).exitCode).toBe(0);
  await atRest(copy);
  const { deviceId } = parse(await copy.cli(["whoami", "--json"])) as { deviceId: string };
  expect(deviceId).not.toBe(laptopId);
  for (const machine of [laptop, desk, copy])
    await until(async () => {
      const { devices } = parse(await machine.cli(["devices", "ls", "--json"])) as { devices: { id: string }[] };
      return devices.length === 3 && devices.some(({ id }) => id === deviceId);
    }, 60);

  // What the copy alone wrote is a session of its own now, with the very same events; nothing else has moved.
  const forks = (await list(copy)).filter(({ continuesId }) => continuesId === alone);
  expect(forks).toMatchObject([{ status: "awaiting_approval", device: { id: deviceId } }]);
  const fork = forks[0]?.id ?? "";
  await statusAt(desk, fork, "awaiting_approval");
  await agree([copy, desk, laptop], fork);
  expect((await log(desk, fork)).map(({ id }) => id)).toEqual(ownEvents.map(({ id }) => id));
  for (const machine of [laptop, desk, copy])
    for (const id of [waiting, running]) {
      const all = (await list(machine)).filter((session) => session.id === id);
      expect(all).toMatchObject([{ device: { id: laptopId } }]);
    }

  // An approval on the copy goes to the laptop, which carries it out; that of its own session it does itself.
  await until(async () => (await copy.cli(["diff", waiting, "--patch"])).stdout.includes("+made by the agent"), 60);
  for (const id of [waiting, fork]) await approve(copy, id);
  for (const machine of [laptop, desk, copy]) for (const id of [waiting, fork]) await statusAt(machine, id, "approved");
  for (const id of [waiting, fork]) {
    const { branch } = (await show(desk, id)) as SessionJson;
    expect(git(repo, "rev-list", "--count", `HEAD..${branch}`)).toBe("1");
    await agree([laptop, desk, copy], id);
  }

  // The session at work goes on where it is, also over a start of the copy; both others see it end.
  expect((await copy.cli(["daemon", "restart"])).exitCode).toBe(0);
  await atRest(copy);
  for (const machine of [laptop, desk, copy]) expect((await show(machine, running))?.status).toBe("running");
  finish("second");
  for (const machine of [laptop, desk, copy]) await statusAt(machine, running, "awaiting_approval");
  expect(JSON.stringify(await log(laptop, running))).toContain("second ends");
  await agree([laptop, desk, copy], running);
  await approve(desk, running);
  for (const machine of [laptop, desk, copy]) await statusAt(machine, running, "approved");
  for (const machine of [laptop, desk, copy])
    expect(await sync(machine)).toMatchObject({ ask: null, suspicions: [], refused: [] });
});

test("S3 the copy was first: the device itself is asked, says so, and its session went on all the time", async () => {
  const { laptop, desk, copy, waiting, running, laptopId } = await openPlace();
  expect((await copy.cli(["daemon", "start"])).exitCode).toBe(0);
  await atRest(copy);
  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  await asked(laptop, "copy");
  finish("second");
  await statusAt(laptop, running, "awaiting_approval");
  expect((await show(desk, running))?.status).toBe("running");
  expect((await laptop.cli(["sync", "identity", "this", "--yes"])).exitCode).toBe(0);
  await statusAt(desk, running, "awaiting_approval");
  await asked(copy, "copy");
  expect(parse(await laptop.cli(["whoami", "--json"]))).toMatchObject({ deviceId: laptopId });
  expect((await copy.cli(["sync", "identity", "new", "--yes"])).exitCode).toBe(0);
  await atRest(copy);
  for (const id of [waiting, running]) {
    await statusAt(copy, id, "awaiting_approval");
    await agree([laptop, desk, copy], id);
    await approve(desk, id);
    for (const machine of [laptop, desk, copy]) await statusAt(machine, id, "approved");
  }
  for (const machine of [laptop, desk, copy])
    expect(await sync(machine)).toMatchObject({ ask: null, suspicions: [], refused: [] });
});

test("S3 S16 F35 a disk is cloned and both go on with the same session, one after the other: each keeps what it did", async () => {
  const { laptop, desk, repo, plan, running, laptopId } = await openPlace();
  const disk = [laptop.home, repo];
  const off = (folder: string) => `${folder}-off`;
  /** The two machines have the same paths, so only one of them is on at a time. */
  const swap = async () => {
    expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
    for (const folder of disk) {
      renameSync(folder, `${folder}-now`);
      renameSync(off(folder), folder);
      renameSync(`${folder}-now`, off(folder));
    }
    expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  };
  const goOn = async (name: string) => {
    plan(name, false);
    expect((await laptop.cli(["resume", running, "go on", "--detach"])).exitCode).toBe(0);
    await statusAt(laptop, running, "awaiting_approval");
    return await log(laptop, running);
  };
  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  expect((await laptop.cli(["stop", running])).exitCode).toBe(0);
  await statusAt(desk, running, "stopped");
  await atRest(laptop);
  const common = await log(laptop, running);
  expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
  for (const folder of disk) execFileSync("cp", ["-a", folder, off(folder)]);
  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  const ofLaptop = await goOn("laptop");
  await atRest(laptop);

  // The clone is asked. What it did by itself becomes a session of its own, and the files go with it.
  await swap();
  await asked(laptop, "copy");
  const ofClone = await goOn("clone");
  expect((await laptop.cli(["sync", "identity", "new", "--yes"])).exitCode).toBe(0);
  await until(async () => (await list(laptop)).some(({ continuesId }) => continuesId === running), 60);
  const [fork] = (await list(laptop)).filter(({ continuesId }) => continuesId === running);
  const forkId = fork?.id ?? "";
  const { deviceId } = parse(await laptop.cli(["whoami", "--json"])) as { deviceId: string };
  expect(fork).toMatchObject({ status: "awaiting_approval", device: { id: deviceId } });
  const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id);
  expect(idsOf(await log(laptop, forkId))).toEqual(idsOf(ofClone.slice(common.length)));
  await until(async () => JSON.stringify(await log(laptop, running)) === JSON.stringify(ofLaptop), 60);
  expect(await show(laptop, running)).toMatchObject({ status: "awaiting_approval", device: { id: laptopId } });
  const committed = parse(await laptop.cli(["approve", forkId, "--json"])) as { branch: string; commit: string };
  expect(git(repo, "rev-parse", committed.branch)).toBe(committed.commit);
  await atRest(laptop);

  // The laptop goes on as if nothing had been, and shows what the clone did.
  await swap();
  await atRest(laptop);
  for (const machine of [laptop, desk]) {
    await statusAt(machine, forkId, "approved");
    await until(async () => (await log(machine, forkId)).length === ofClone.length - common.length, 60);
    expect(idsOf(await log(machine, forkId))).toEqual(idsOf(ofClone.slice(common.length)));
    expect(await log(machine, running)).toEqual(ofLaptop);
  }
  await approve(desk, running);
  const { branch } = (await show(laptop, running)) as SessionJson;
  expect(git(repo, "rev-list", "--count", `HEAD..${branch}`)).toBe("1");
  await swap();
  for (const machine of [laptop, desk]) await statusAt(machine, running, "approved");
  for (const machine of [laptop, desk])
    expect(await sync(machine)).toMatchObject({ ask: null, suspicions: [], refused: [] });
});
