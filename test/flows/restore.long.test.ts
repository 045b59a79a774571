import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clientDevices } from "../kit/client-devices.ts";
import { isAlive, openTempHome, type TempHome } from "../kit/temp-home.ts";
import { linesOfGuide, runLines, withBackup } from "./restore-lines.ts";
import { openRestoreStory } from "./restore-story.ts";
import { type ServedCloud, serveCloud } from "./serve-cloud.ts";

let machine: TempHome;
let cloud: ServedCloud | null = null;
const devices = clientDevices();
afterEach(async () => {
  await devices.close();
  if (cloud !== null && isAlive(cloud.pid)) await cloud.end();
  await machine.remove();
});

/** The guide's last line, as the words that `codehands` takes. */
function serveWords(line: string | undefined): string[] {
  const [program, command, ...words] = (line ?? "").split(/\s+/);
  if (program !== "codehands" || command !== "serve") throw new Error(`no serve: ${line}`);
  return words;
}

test("S9 S25 the guide's backup and restore of the embedded database: nothing that devices hold is lost, removals come back", async () => {
  machine = openTempHome();
  const port = { CODEHANDS_CLOUD_PORT: "0" };
  const serve = async (...words: string[]): Promise<ServedCloud> => {
    cloud = await serveCloud(machine, { words, env: port });
    port.CODEHANDS_CLOUD_PORT = String(cloud.port);
    return cloud;
  };
  const shell = { cwd: machine.root, env: machine.env };
  const first = await serve();
  const story = await openRestoreStory(first.url, devices);
  await story.beforeBackup();
  expect(await first.end()).toBe(0);

  runLines(linesOfGuide("Back up", "With the embedded database"), shell);
  const second = await serve();
  await story.afterBackup();
  expect(await second.end()).toBe(0);

  const backups = { folder: join(machine.root, "codehands-backups"), name: "cloud-…" };
  const restore = withBackup(linesOfGuide("Restore", "With the embedded database"), backups);
  runLines(restore.slice(0, -1), shell);
  const secret = (folder: string) => readFileSync(join(machine.root, ".codehands", folder, "login-secret"), "utf8");
  expect(secret("cloud")).toBe(secret("cloud-set-aside"));
  expect(existsSync(join(machine.root, ".codehands", "cloud-set-aside", "database"))).toBe(true);

  await serve(...serveWords(restore.at(-1)));
  await story.afterRestore();
});
