/** Sessions of other devices: where they show, and that their text is as harmless as an agent's. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DESKTOP, LAPTOP } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { DIFF, PATCH, REMOTE, RUNNING, STOPPED, WAITING } from "../memory-device.test-kit.ts";

const EVIL = "lap\u001b]52;c;eA==\u0007\u202etop";
let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
  for (const id of [RUNNING, STOPPED]) server.device.change(id, { device: { id: DESKTOP, name: "desktop" } });
  server.device.change(WAITING, { ...REMOTE, lastSeq: 52 });
});
afterEach(() => server.close());

const call = (words: string, o: Partial<CallOptions> = {}) =>
  callCli(words.split(" ").filter(Boolean), { home: server.home, ...o });

describe("ls", () => {
  test("says whose, once another device's is among them", async () => {
    const [head = "", first = "", second = ""] = (await call("ls --all-repos")).stdout.split("\n");
    expect(head).toMatch(/^STATUS +ID +TITLE +REPO +DEVICE +AGENT/);
    expect(first).toMatch(/3f0f3e1e .* laptop +claude-code/);
    expect(second).toMatch(/7abc0000 .* desktop +claude-code/);
    expect((await call("ls --all-repos --status stopped")).stdout).not.toContain("DEVICE");
  });

  test("says how old it is when nothing new can come", async () => {
    const { account } = server.device;
    expect((await call("ls --all-repos")).stderr).toBe("");
    account.sync = { ...account.sync, state: "retrying", lastRoundTripAt: "2026-01-01T01:10:00.000Z" };
    const words =
      "! What stands of other devices is from 1 d ago: the cloud does not answer.   codehands sync status\n";
    expect((await call("ls --all-repos")).stderr).toBe(words);
    expect((await call("", { tty: true })).stderr).toBe(words);
    expect((await call("ls --all-repos --json")).stderr).toBe("");
    expect((await call("ls --all-repos --status stopped")).stderr).toBe("");
  });

  test.each(["laptop", "LAP", "1111", LAPTOP])("--device %s", async (ref) => {
    expect((await call(`ls --all-repos -q --device ${ref}`)).stdout).toBe(`${WAITING}\n`);
  });

  test("a device that nobody has is exit 3", async () => {
    const { exitCode, stderr } = await call("ls --device phone");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: "error: There is no device 'phone' in the account.\n  hint: codehands devices ls\n",
    });
  });

  test("a hostile name of a device cannot act on the terminal", async () => {
    server.device.change(WAITING, { device: { id: LAPTOP, name: EVIL } });
    const { stdout } = await call("ls --all-repos", { tty: true, columns: 120 });
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(stdout).toContain("laptop");
  });
});

describe("show", () => {
  test("says how old the word of its device is, and how much of its events is here", async () => {
    const { stdout } = await call("show 3f0f");
    expect(stdout).toMatch(/ device +laptop\n +heard +5 min ago, 40 of 52 events are here\n/);
    expect((await call("show 7abc")).stdout).not.toContain("heard");
    // Events are fetched when somebody looks: none yet is no lack.
    server.device.change(WAITING, { remote: { ...REMOTE.remote, heldSeq: 0 } });
    expect((await call("show 3f0f")).stdout).toMatch(/ heard +5 min ago\n/);
  });

  test("a history that does not fit is told, harmlessly", async () => {
    const warning = "12 events of this session have not been delivered.\u001b[2J";
    server.device.change(WAITING, { remote: { ...REMOTE.remote, warning } });
    const { stdout } = await call("show 3f0f", { tty: true });
    expect(stdout).toContain("12 events of this session have not been delivered.");
    expect(stdout).not.toContain("\u001b");
  });

  test("what was sent to it, and what became of that", async () => {
    await call("reject 3f0f");
    const { stdout } = await call("show 3f0f");
    expect(stdout).toMatch(/Sent from here\n {2}[0-9a-f]{8} {2}reject 3f0f3e1e {3}queued: laptop is away/);
    const { commands } = JSON.parse((await call("show 3f0f --json")).stdout) as { commands: { kind: string }[] };
    expect(commands).toMatchObject([{ kind: "reject", state: "queued" }]);
    expect(JSON.parse((await call("show 7abc --json")).stdout)).not.toHaveProperty("commands");
  });
});

test("logs -f follows a session of another device to its end", async () => {
  server.device.change(WAITING, { status: "running", lastSeq: 0 });
  server.device.add(WAITING, "message", { text: `one ${EVIL}` });
  const following = call("logs 3f0f -f");
  server.device.add(WAITING, "message", { text: "two" });
  server.device.change(WAITING, { status: "awaiting_approval" });
  const { exitCode, stdout } = await following;
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/one laptop[^]*two/);
  expect(stdout).not.toContain("\u001b");
});

test("the agent's own lines stay where it ran", async () => {
  const { exitCode, stderr } = await call("logs 3f0f --raw");
  expect(exitCode).toBe(3);
  expect(stderr).toContain("The agent's own lines stay on laptop; they are never sent.");
});

describe("diff", () => {
  test("is the same patch that the owner made", async () => {
    expect((await call("diff 3f0f")).stdout).toBe(PATCH);
  });

  test("a patch that was cut says so, on a terminal and in a pipe", async () => {
    server.device.diff = { ...DIFF, truncated: true };
    const words = "Warning: the patch is too large and was cut.";
    expect((await call("diff 3f0f", { tty: true })).stdout).toContain(words);
    const piped = await call("diff 3f0f");
    expect(piped.stdout).toBe(PATCH);
    expect(piped.stderr).toContain(words);
  });

  test("a change that comes a moment after the word that it waits is waited for", async () => {
    let looks = 0;
    server.device.ports.sessions.diff = async () => {
      looks += 1;
      return looks < 3 ? null : DIFF;
    };
    expect((await call("diff 3f0f")).stdout).toBe(PATCH);
    expect(looks).toBe(3);
  });

  test("a change that has not come yet is not taken for none", async () => {
    server.device.diff = null;
    const { exitCode, stderr } = await call("diff 3f0f");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("has no change to show here yet: laptop has sent none.");
  });
});

test("wait waits for a session of another device", async () => {
  server.device.change(WAITING, { status: "running" });
  const waiting = call("wait 3f0f --json");
  server.device.change(WAITING, { status: "awaiting_approval" });
  expect((await waiting).exitCode).toBe(0);
});
