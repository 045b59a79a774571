import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeSampleRepo } from "@codehands/runner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../kit/git.ts";
import { openMachine, pair, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { linesOf, log, type SessionJson, show, startSession, statusAt, sync } from "../kit/session-words.ts";
import { openGate, type TcpGate } from "../kit/tcp-gate.ts";
import { type TempHome, until } from "../kit/temp-home.ts";

const MINUTE = 60_000;
/** Lines that the agent writes, one every six seconds: it is at work before, during and after the cut. */
const TICKS = 104;
const EVERY_MS = 6_000;

let host: TempHome;
let laptop: TempHome;
let desk: TempHome;
let cloud: ServedCloud;
/** The line of the laptop, which is cut; and that of the desk, which is not. */
let gate: TcpGate;
let other: TcpGate;
let repo: string;

/** What the agent of the sessions that start from now on does before it makes its file. */
const writeScript = (steps: unknown[]): string[] =>
  scriptedAgent(join(laptop.root, "script.json"), [
    { init: {} },
    ...steps,
    { write: { path: "made.txt", text: "made by the agent\n" } },
    { result: {} },
  ]);

/** Three processes of the operating system and only HTTP between them, on a line for each device. */
beforeAll(async () => {
  host = openMachine();
  laptop = openMachine();
  desk = openMachine();
  repo = join(laptop.root, "repo");
  await makeSampleRepo(repo);
  [gate, other] = [await openGate(), await openGate()];
  cloud = await serveCloud(host, {
    dataDir: join(host.root, "cloud"),
    env: { CODEHANDS_CLOUD_ORIGIN: `${gate.url},${other.url}` },
  });
  for (const line of [gate, other]) line.lead(cloud.url);
  Object.assign(laptop.env, asClaude(writeScript([{ text: "quick" }])));
  await signUp(laptop, gate.url);
  await pair(laptop, desk, other.url);
});
afterAll(async () => {
  await laptop.remove();
  await desk.remove();
  await gate.close();
  await other.close();
  await cloud.stop();
  await host.remove();
});

/** True while the cloud's stream of news to the laptop stands. */
const hasStream = (): boolean => gate.asked().some((line) => line.includes("live.watch"));

/** The laptop as a person sees it while its line is cut: since when, and how much waits. */
async function seenWithoutLine(cutAt: number): Promise<number> {
  const view = await sync(laptop);
  expect(Date.parse(view.lastRoundTripAt)).toBeLessThanOrEqual(cutAt + 1_000);
  const { stdout } = await laptop.cli(["sync", "status"]);
  const minutes = Math.floor((Date.now() - cutAt) / MINUTE);
  const [, told] = /The cloud (?:did not answer|does not answer).+ Last exchange: (\d+) min ago\./.exec(stdout) ?? [];
  // The last exchange was up to half a minute before the cut.
  expect([minutes, minutes + 1], stdout).toContain(Number(told));
  expect(stdout).toMatch(/to send: \d+ events/);
  const doctor = (await laptop.cli(["doctor"])).stdout;
  expect(doctor).toMatch(/sync: last exchange \d+ (?:s|min) ago[,;] \d+ events and \d+ records to send/);
  return view.pendingPush.events;
}

test("the laptop's line is a black hole for five minutes and dead for five more, while a session goes on: nothing is lost or doubled, and what the desk approved meanwhile is done once", {
  timeout: 1_200_000,
}, async () => {
  const waiting = await startSession(laptop, repo);
  await statusAt(desk, waiting, "awaiting_approval");
  await until(async () => (await desk.cli(["diff", waiting, "--patch"])).stdout.includes("+made by the agent"), 30);
  writeScript([{ count: { to: TICKS, everyMs: EVERY_MS, textBytes: 200 } }]);
  const running = await startSession(laptop, repo);
  await until(async () => (await log(desk, running)).length >= 3, 60);
  const follower = desk.spawnCli(["logs", running, "-f", "--json"]);
  await until(hasStream);

  gate.hold();
  const cutAt = Date.now();
  const passed = gate.passed();
  const sent = await desk.cli(["approve", waiting]);
  expect(sent.exitCode, sent.stderr).toBe(8);
  expect(sent.stdout + sent.stderr).toMatch(/queued: /);
  await pause(cutAt + 1.5 * MINUTE - Date.now());
  const pending = [await seenWithoutLine(cutAt)];
  await pause(cutAt + 4.9 * MINUTE - Date.now());
  pending.push(await seenWithoutLine(cutAt));
  gate.shut();
  await pause(cutAt + 7 * MINUTE - Date.now());
  pending.push(await seenWithoutLine(cutAt));
  await pause(cutAt + 9.8 * MINUTE - Date.now());
  pending.push(await seenWithoutLine(cutAt));
  expect(gate.passed()).toBe(passed);
  expect(pending).toEqual(pending.toSorted((a, b) => a - b));
  expect(new Set(pending).size).toBe(4);
  // Not a word of it on the desk, and the laptop is as much at work as before.
  expect((await show(laptop, running))?.status).toBe("running");
  expect((await show(laptop, waiting))?.status).toBe("awaiting_approval");
  expect((await log(desk, running)).length).toBeLessThan((await log(laptop, running)).length);
  await pause(cutAt + 10 * MINUTE - Date.now());

  gate.open();
  await until(hasStream, 90);
  await statusAt(laptop, waiting, "approved");
  await statusAt(desk, waiting, "approved");
  const { branch } = (await show(laptop, waiting)) as SessionJson;
  expect(git(repo, "rev-list", "--count", `HEAD..${branch}`)).toBe("1");
  await statusAt(laptop, running, "awaiting_approval");
  await statusAt(desk, running, "awaiting_approval");
  await until(async () => (await sync(laptop)).pendingPush.events === 0, 60);
  for (const id of [waiting, running]) {
    const events = await log(laptop, id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(await log(desk, id)).toEqual(events);
  }
  // Who watched on the desk all the time has seen every event once.
  const followed = await follower;
  expect(linesOf(String(followed.stdout))).toEqual(await log(laptop, running));
  const ticks = [...JSON.stringify(await log(desk, running)).matchAll(/tick (\d+)x/g)].map(([, tick]) => Number(tick));
  expect(ticks).toEqual(Array.from({ length: TICKS }, (_, at) => at + 1));
  for (const machine of [laptop, desk])
    expect(await sync(machine)).toMatchObject({ suspicions: [], refused: [], ask: null });
});
