import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CLOUD, DESKTOP, PAIRING } from "../account-ports.test-kit.ts";
import { NOW } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { RUNNING, WAITING } from "../memory-device.test-kit.ts";
import type { CliWorld } from "../run-cli.ts";
import { driveHome } from "./drive-home.ts";
import { pairHomes } from "./pair-homes.ts";

const silent = { write: () => true };
const world: CliWorld = {
  words: [],
  platform: "linux",
  cwd: "/",
  stdin: Readable.from([]),
  stdout: silent,
  stderr: silent,
  now: () => NOW,
  pollMs: 2,
  spawnDaemon: () => ({
    ended: Promise.resolve({ how: "exit code 1", inUse: false }),
    said: () => "no daemon in this test",
  }),
  onInterrupt: () => () => undefined,
};

let first: LocalServer;
let second: LocalServer;
beforeEach(async () => {
  [first, second] = await Promise.all([startLocalServer(), startLocalServer()]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

test("two homes are two devices", async () => {
  second.device.sessions.delete(WAITING);
  const waiting = ["show", "@waiting"];
  expect(await driveHome(world, first.home).json(waiting)).toMatchObject({ id: WAITING });
  await expect(driveHome(world, second.home).json(waiting)).rejects.toThrow("ended with exit code 3");
  expect(await driveHome(world, second.home).json(["show", "7abc"])).toMatchObject({ id: RUNNING });
});

test("a secret goes by stdin, and the lines of a pairing come as they are written", async () => {
  second.device.account.newcomer = [
    { state: "digits", digits: "084037" },
    { state: "let_in", digits: "084037", letInBy: "laptop", askPerson: true },
  ];
  await driveHome(world, first.home).json(
    ["signup", "--server", CLOUD, "--email", "new@example.org", "--password-stdin"],
    { input: "a long secret\n" },
  );
  expect(first.device.account.view.state).toBe("active");
  const seen: unknown[] = [];
  const joined = await driveHome(world, second.home).json(["pair", "--server", CLOUD, "-y"], {
    onLine: (line) => seen.push(line.type),
  });
  expect(seen).toEqual(["code", "digits", "let_in", "joined"]);
  expect(joined).toMatchObject({ type: "joined", deviceId: DESKTOP });
});

test("V29 a pairing of two homes carries the code one way and the digits the other", async () => {
  first.device.account.signIn();
  second.device.account.newcomer = [
    { state: "waiting" },
    { state: "digits", digits: "084037" },
    { state: "let_in", digits: "084037", letInBy: "laptop", askPerson: true },
  ];
  await pairHomes(driveHome(world, first.home), driveHome(world, second.home), CLOUD);
  expect(first.device.account.calls).toEqual([
    { name: "lookUp", input: { code: "ABCD-EFGH" } },
    { name: "approve", input: { pairingId: PAIRING, digits: "084037" } },
  ]);
  expect(second.device.account.view.state).toBe("active");
});

test("a pairing that one side refuses is told", async () => {
  second.device.account.newcomer = [{ state: "waiting" }];
  const pairing = pairHomes(driveHome(world, first.home), driveHome(world, second.home), CLOUD);
  await expect(pairing).rejects.toThrow("not signed in");
  second.device.account.newcomer = [{ state: "dead", code: "PAIR_EXPIRED", reason: "The test is over." }];
});

test("an exit code that is expected is no failure", async () => {
  const home = driveHome(world, first.home);
  await expect(home.json(["whoami"])).rejects.toThrow("exit code 4");
  expect(await home.json(["whoami"], { allowed: [4] })).toMatchObject({ state: "signed_out" });
});
