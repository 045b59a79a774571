#!/usr/bin/env node
/**
 * The whole story without a person, in a temporary home: a session, its events, its diff, approve, a look at the
 * branch, a second session, reject. Exits 0 when all of it held.
 *
 *   pnpm demo [--json]     the last line of stdout is then {"type":"demo","ok":true,…}
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "../config.ts";
import { daemonDoor } from "../connect/daemon-door.ts";
import { endProcess, processWorld } from "../process-world.ts";
import { environmentWith } from "./config.ts";
import { playStory } from "./play-story.ts";

const json = process.argv.includes("--json");
const world = processWorld([]);
const home = mkdtempSync(join(tmpdir(), "codehands-demo-"));
const environment = readEnvironment(environmentWith({ CODEHANDS_HOME: home }), world.platform);
const daemon = daemonDoor({
  home,
  runId: environment.runId,
  environment: environment.forDaemon,
  spawn: world.spawnDaemon,
});
const tell = (what: string): void => void world.stderr.write(`\n${what}\n`);
const answer = (line: object): void => {
  if (json) world.stdout.write(`${JSON.stringify({ type: "demo", ...line })}\n`);
};

try {
  const client = await daemon.client();
  const sample = await client.repos.sample.mutate();
  const story = await playStory({ world, home, repo: sample.path, tell });
  if (!story.rejected) throw new Error("The second session was not rejected.");
  await daemon.stop();
  rmSync(home, { recursive: true, force: true });
  answer({ ok: true, ...story });
  if (!json) world.stdout.write("The demonstration held: run, review, approve and reject all did what they promise.\n");
  endProcess(0);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  await daemon.stop().catch(() => undefined);
  answer({ ok: false, error: reason, home });
  world.stderr.write(`error: ${reason}\n  Everything it made is kept in ${home}; its logs are in ${home}/logs.\n`);
  endProcess(1);
}
