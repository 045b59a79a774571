import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openTempHome, type TempHome, until } from "../kit/temp-home.ts";

let machine: TempHome;
let served: ReturnType<TempHome["spawnCli"]>[] = [];
afterEach(async () => {
  for (const each of served) each.kill("SIGTERM");
  await Promise.all(served);
  served = [];
  await machine.remove();
});

/** Starts `codehands serve` on a free port and waits for the line that says where. */
async function serve(dataDir: string): Promise<{ url: string; end: () => Promise<number | undefined> }> {
  const child = machine.spawnCli(["serve", "--port", "0", "--data-dir", dataDir]);
  served.push(child);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => / \(port \d+, /.test(said), 60);
  const port = / \(port (\d+), /.exec(said)?.[1];
  return {
    url: `http://127.0.0.1:${port}`,
    end: async () => {
      child.kill("SIGTERM");
      return (await child).exitCode;
    },
  };
}

test("codehands serve brings a cloud up with a database of its own, ends it in order, and finds it again", async () => {
  machine = openTempHome();
  const dataDir = join(machine.root, "cloud");
  const first = await serve(dataDir);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  expect(await first.end()).toBe(0);
  const second = await serve(dataDir);
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  expect(await second.end()).toBe(0);
});
