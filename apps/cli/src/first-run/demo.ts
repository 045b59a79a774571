#!/usr/bin/env node
/**
 * The whole story without a person, in a temporary home: a session, its events, its diff, approve, a look at the
 * branch, a second session, reject; then a cloud, a second device, and a session of the first one approved there.
 * Exits 0 when all of it held.
 *
 *   pnpm demo [--json]     the last line of stdout is then {"type":"demo","ok":true,…}
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "../config.ts";
import { type DaemonDoor, daemonDoor } from "../connect/daemon-door.ts";
import { endProcess, processWorld } from "../process-world.ts";
import { environmentWith } from "./config.ts";
import { driveHome } from "./drive-home.ts";
import { openCloud } from "./open-cloud.ts";
import { playStory } from "./play-story.ts";
import { playTwoDevices } from "./play-two-devices.ts";

const json = process.argv.includes("--json");
const world = processWorld([]);
const home = mkdtempSync(join(tmpdir(), "codehands-demo-"));
const secondHome = `${home}/second`;
const environment = readEnvironment(environmentWith({ CODEHANDS_HOME: home }), world.platform);
const doorOf = (folder: string): DaemonDoor => {
  const { runId, forDaemon } = readEnvironment(environmentWith({ CODEHANDS_HOME: folder }), world.platform);
  return daemonDoor({ home: folder, runId, environment: forDaemon, spawn: world.spawnDaemon });
};
const [daemon, second] = [doorOf(home), doorOf(secondHome)];
/** What runs and is ended with the demonstration, whatever comes of it. */
const stops: (() => Promise<unknown>)[] = [daemon.stop, second.stop];
const tell = (what: string): void => void world.stderr.write(`\n${what}\n`);
const answer = (line: object): void => {
  if (json) world.stdout.write(`${JSON.stringify({ type: "demo", ...line })}\n`);
};

try {
  const client = await daemon.client();
  const sample = await client.repos.sample.mutate();
  const story = await playStory({ world, home, repo: sample.path, tell });
  if (!story.rejected) throw new Error("The second session was not rejected.");
  const cloud = await openCloud(`${home}/cloud`, environment.forDaemon);
  stops.push(cloud.stop);
  const [first, other] = [driveHome(world, home), driveHome(world, secondHome)];
  const secondDevice = await playTwoDevices({ cloudUrl: cloud.url, first, second: other, repo: sample.path, tell });
  await Promise.all(stops.map((stop) => stop()));
  rmSync(home, { recursive: true, force: true });
  answer({ ok: true, ...story, secondDevice });
  if (!json)
    world.stdout.write(
      "The demonstration held: run, review, approve and reject did what they promise, here and from a second device.\n",
    );
  endProcess(0);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  await Promise.allSettled(stops.map((stop) => stop()));
  answer({ ok: false, error: reason, home });
  world.stderr.write(`error: ${reason}\n  Everything it made is kept in ${home}; its logs are in ${home}/logs.\n`);
  endProcess(1);
}
