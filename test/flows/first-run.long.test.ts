import { createServer } from "node:net";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse, signUp } from "../kit/many-homes.ts";
import { openTempHome, type TempHome, until } from "../kit/temp-home.ts";

const program = (name: string) => new URL(`../../apps/cli/dist/first-run/${name}.js`, import.meta.url).pathname;

let machine: TempHome;
beforeEach(() => {
  machine = openTempHome();
});
afterEach(() => machine.remove());

const run = (name: string, ...words: string[]) =>
  execa(process.execPath, [program(name), ...words], {
    cwd: machine.root,
    env: machine.env,
    extendEnv: false,
    reject: false,
    forceKillAfterDelay: false,
    stdin: "ignore",
  });

/** A port that nobody has at this moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("the demonstration holds: here, and from a second device that follows live and approves", async () => {
  const { stdout, stderr, exitCode } = await run("demo", "--json");
  expect([exitCode, stderr.includes("error:")]).toEqual([0, false]);
  const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "null") as { secondDevice: { events: number } };
  expect(last).toMatchObject({
    type: "demo",
    ok: true,
    rejected: true,
    secondDevice: { equal: true, approvedFrom: "B", command: "done" },
  });
  expect(last.secondDevice.events).toBeGreaterThan(5);
});

test("start --cloud runs a cloud of this machine's own, and ends it with itself", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  machine.env["CODEHANDS_CLOUD_PORT"] = String(port);
  const child = run("start", "--cloud");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => said.includes("The cloud runs until Ctrl-C"), 90);
  expect(said).toContain(`codehands signup --server ${url}`);
  await signUp(machine, url);
  expect(parse(await machine.cli(["whoami", "--json"]))).toMatchObject({ state: "active" });
  child.kill("SIGTERM");
  await child;
  const isGone = async () => !(await fetch(`${url}/readyz`).catch(() => null));
  await until(isGone, 40);
});
