/** The new device's side of a pairing: what it shows, what it asks, and that nothing is kept before a yes. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOUD, DESKTOP, PAIRING } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.newcomer = [
    { state: "waiting" },
    { state: "digits", digits: "084037" },
    { state: "digits", digits: "084037" },
    { state: "let_in", digits: "084037", letInBy: "laptop\u001b[2J", askPerson: true },
  ];
});
afterEach(() => server.close());

const account = () => server.device.account;
const called = () => account().calls.map((one) => one.name);
const call = (words: string, o: Partial<CallOptions> = {}) =>
  callCli(`pair --server ${CLOUD} ${words}`.trim().split(" "), { home: server.home, ...o });
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a person", () => {
  test("V30 sees code, QR and the digits once, and joins with a yes", async () => {
    const { exitCode, stdout, stderr } = await call("", { tty: true, input: "y\n" });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("codehands pair approve ABCD-EFGH");
    expect(stderr).toContain("█");
    expect(stderr.match(/Type these digits.*084 037/g)).toHaveLength(1);
    expect(stderr).toContain("Let in by laptop. Did that device accept the digits 084 037? [y/N]");
    expect(stdout).toBe("✔ This device has joined the account, let in by laptop. Its sessions sync from now on.\n");
    expect(called()).toEqual(["begin", "accept"]);
  });

  test.each(["n\n", "\n", ""])(
    "V30 everything but yes (%j) keeps nothing and ends the pairing: exit 10",
    async (input) => {
      const { exitCode, stderr } = await call("", { tty: true, input });
      expect(exitCode).toBe(10);
      expect(stderr).toContain("Nothing was stored, its keys were thrown away.");
      expect(called()).toEqual(["begin", "cancel"]);
      expect(account().view.state).toBe("signed_out");
    },
  );

  test("V30 --yes does not answer for what only a person can have seen", async () => {
    expect((await call("-y", { tty: true, input: "n\n" })).exitCode).toBe(10);
    expect(called()).toEqual(["begin", "cancel"]);
  });

  test("V31 after a QR nothing is asked", async () => {
    account().newcomer = [{ state: "let_in", digits: "084037", letInBy: "laptop", askPerson: false }];
    const { exitCode, stderr } = await call("", { tty: true });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("[y/N]");
  });

  test("Ctrl-C ends it on both sides: exit 130", async () => {
    account().newcomer = [{ state: "waiting" }];
    let press = (): void => undefined;
    const { exitCode } = await call("", {
      tty: true,
      interrupts: (pressed) => (press = pressed),
      onStderr: (text) => text.includes("Ctrl-C to stop") && setImmediate(press),
    });
    expect(exitCode).toBe(130);
    expect(called()).toEqual(["begin", "cancel"]);
  });

  test("Ctrl-C at the question is no answer: exit 130, and nothing is stored", async () => {
    let press = (): void => undefined;
    const { exitCode } = await call("", {
      tty: true,
      input: new Promise<string[]>(() => undefined),
      interrupts: (pressed) => (press = pressed),
      onStderr: (text) => text.includes("[y/N]") && setImmediate(press),
    });
    expect(exitCode).toBe(130);
    expect(called()).toEqual(["begin", "cancel"]);
  });

  test("a narrow terminal is told why there is no QR", async () => {
    const { stderr } = await call("", { tty: true, input: "y\n", columns: 40 });
    expect(stderr).toContain("needs a wider terminal");
    expect(stderr).not.toContain("█");
  });
});

describe("a program", () => {
  test("reads a line for each step, and says yes on stdin", async () => {
    const { exitCode, stdout, stderr } = await call("--json", { input: "yes\n" });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(lines(stdout)).toEqual([
      {
        type: "code",
        pairingId: PAIRING,
        userCode: "ABCD-EFGH",
        qrText: expect.stringContaining(`${CLOUD}/pair#1.`),
        expiresAt: "2026-01-02T03:20:00.000Z",
      },
      { type: "digits", digits: "084037" },
      { type: "let_in", letInBy: "laptop\u001b[2J", digits: "084037", askPerson: true },
      { type: "joined", deviceId: DESKTOP, letInBy: "laptop\u001b[2J" },
    ]);
  });

  test("--yes says so beforehand", async () => {
    expect(lines((await call("--json -y")).stdout).at(-1)).toMatchObject({ type: "joined" });
  });

  test("V30 without a yes nothing is stored", async () => {
    const { exitCode, stdout, stderr } = await call("--json");
    expect(exitCode).toBe(10);
    expect(lines(stdout).map((line) => line.type)).toEqual(["code", "digits", "let_in"]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "declined", hint: "codehands pair" } });
    expect(called()).toEqual(["begin", "cancel"]);
  });

  test("without a terminal and without --json nothing is begun", async () => {
    const { exitCode, stderr } = await call("");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Without a terminal use --json");
    expect(server.requests).toEqual([]);
  });
});

describe("what can go wrong", () => {
  test.each([
    ["PAIR_EXPIRED", 5],
    ["unreachable", 7],
    ["NOT_ALLOWED", 4],
  ])("a pairing that died of %s is exit %d", async (code, exitCode) => {
    account().newcomer = [{ state: "waiting" }, { state: "dead", code, reason: "It took too long." }];
    const { stderr, exitCode: exit } = await call("", { tty: true });
    expect(exit).toBe(exitCode);
    expect(stderr).toContain("error: It took too long.\n  hint: codehands pair\n");
  });

  test("a cloud that cannot be reached begins nothing", async () => {
    account().ports.pair.begin = async () => ({ ok: false, code: "unreachable", reason: "No answer." });
    const { exitCode, stdout } = await call("--json");
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: "" });
  });

  test("what the cloud says at the last step counts: it is not joined", async () => {
    account().ports.pair.accept = async () => ({ state: "dead", code: "PAIR_EXPIRED", reason: "Too late." });
    const { exitCode, stderr } = await call("", { tty: true, input: "y\n" });
    expect({ exitCode, told: stderr.includes("Too late.") }).toEqual({ exitCode: 5, told: true });
  });

  test("a device that is a member does not pair", async () => {
    account().signIn();
    expect((await call("--json")).exitCode).toBe(5);
    expect(called()).toEqual([]);
  });
});
