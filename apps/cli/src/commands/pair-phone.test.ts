/** An invitation: the side that shows it, and what the other side makes of it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOUD, DESKTOP, INVITATION, PAIRING } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
  server.device.account.inviter = [{ state: "waiting" }, { state: "revealed", name: "phone", platform: "web" }];
});
afterEach(() => server.close());

const ADDRESS = `${CLOUD}/pair#i.${INVITATION}`;
const account = () => server.device.account;
const called = () => account().calls.map((one) => one.name);
const call = (words: string, o: Partial<CallOptions> = {}) =>
  callCli(`pair ${words}`.trim().split(" "), { home: server.home, ...o });
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("pair --phone", () => {
  test("V29 shows a QR, waits for who comes, and asks for the digits that it shows", async () => {
    const { exitCode, stdout, stderr } = await call("--phone", { tty: true, input: "084 037\n", columns: 100 });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("█");
    expect(stderr).toContain(`codehands pair --invitation '${ADDRESS}'`);
    expect(stderr).toContain("  phone   web   near Berlin, Germany (says the cloud)   began 3 s ago\n");
    expect(stderr).toContain("Only if you started this on a device in your hand.");
    expect(stdout + stderr).not.toMatch(/084.?037/);
    expect(stdout).toBe("✔ desktop is let in: it reads the account's sessions from now on.\n");
    expect(called()).toEqual(["invite", "approve"]);
    expect(account().calls.at(-1)?.input).toEqual({ pairingId: PAIRING, digits: "084037" });
  });

  test("what the device may is the person's to say, as after a code; on the other side the words have no place", async () => {
    expect((await call("--phone --roles command --json", { input: "084037\n" })).exitCode).toBe(0);
    expect(account().calls.at(-1)?.input).toEqual({ pairingId: PAIRING, digits: "084037", roles: ["command"] });
    const wrong = await call(`--roles command --invitation ${ADDRESS} --json`);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("--roles goes with --phone");
    expect(called()).toEqual(["invite", "approve"]);
  });

  test("a program reads a line for each step and gives the digits on stdin", async () => {
    const { exitCode, stdout, stderr } = await call("--phone --json", { input: "084037\n" });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(lines(stdout)).toEqual([
      { type: "invitation", invitation: INVITATION, qrText: ADDRESS, expiresAt: "2026-01-02T03:20:00.000Z" },
      { type: "asks", pairingId: PAIRING, name: "phone", platform: "web", place: "Berlin, Germany", ageSeconds: 3 },
      { type: "approved", device: { id: DESKTOP, name: "desktop" } },
    ]);
  });

  test("wrong digits of a program leave the pairing open for pair approve; no digits end it", async () => {
    expect((await call("--phone --json", { input: "111111\n" })).exitCode).toBe(5);
    expect(called()).toEqual(["invite", "approve"]);
    expect((await call(`approve ${PAIRING} --digits 084037 --json`)).exitCode).toBe(0);
    expect((await call("--phone --json", { input: "" })).exitCode).toBe(2);
    expect(called().at(-1)).toBe("cancel");
  });

  test("Ctrl-C while nobody came takes the invitation back: exit 130", async () => {
    account().invited = [{ state: "waiting" }];
    let press = (): void => undefined;
    const { exitCode, stderr } = await call("--phone", {
      tty: true,
      interrupts: (pressed) => (press = pressed),
      onStderr: (text) => text.includes("Ctrl-C to stop") && setImmediate(press),
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain("The invitation was taken back.");
    expect(account().calls.at(-1)).toEqual({ name: "cancel", input: INVITATION });
  });

  test("an invitation that is over is told, with the command that makes a new one", async () => {
    account().invited = [{ state: "waiting" }, { state: "dead", code: "INVITATION_GONE", reason: "It is over." }];
    const { exitCode, stderr } = await call("--phone --json");
    expect(exitCode).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "INVITATION_GONE", message: "It is over.", hint: "codehands pair --phone" },
    });
  });

  test("on plain http it says that a phone needs https and makes nothing; --yes invites a computer", async () => {
    account().view = { ...account().view, cloudUrl: "http://hands.example" };
    const { exitCode, stderr } = await call("--phone", { tty: true });
    expect(exitCode).toBe(5);
    expect(stderr).toContain("A phone's browser needs https");
    expect(stderr).toContain("Caddy");
    expect(stderr).toContain("codehands serve --host 0.0.0.0 --tls CERT KEY");
    expect(called()).toEqual([]);
    const wanted = await call("--phone -y", { tty: true, input: "084037\n" });
    expect(wanted.exitCode).toBe(0);
    expect(wanted.stderr).toContain("A phone's browser needs https");
  });

  test("of a cloud on this machine it says that a phone cannot reach it, and goes on", async () => {
    account().view = { ...account().view, cloudUrl: "http://127.0.0.1:8787" };
    const { exitCode, stderr } = await call("--phone", { tty: true, input: "084037\n" });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("a phone cannot reach it");
  });

  test("without an account, and inside a run, nobody is invited", async () => {
    const run = await call("--phone --json", { variables: { CODEHANDS_RUN_ID: "run" } });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "agent_may_not" } });
    await server.device.account.ports.account.logOut({ all: false });
    expect((await call("--phone --json")).exitCode).toBe(4);
    expect(called()).not.toContain("invite");
  });
});

describe("pair --invitation", () => {
  beforeEach(async () => {
    await account().ports.account.logOut({ all: false });
    account().calls.length = 0;
    account().newcomer = [
      { state: "digits", digits: "084037" },
      { state: "let_in", digits: "084037", letInBy: "laptop", askPerson: true },
    ];
  });

  test("goes to the cloud that it names, and has no code to type", async () => {
    const { exitCode, stderr } = await call(`--invitation ${ADDRESS}`, { tty: true, input: "y\n" });
    expect(exitCode).toBe(0);
    expect(account().calls[0]).toEqual({ name: "begin", input: { cloudUrl: CLOUD, invitation: ADDRESS } });
    expect(stderr).not.toContain("ABCD-EFGH");
    expect(stderr).toContain("084 037");
  });

  test("alone it needs --server", async () => {
    const done = await call(`--invitation ${INVITATION} --server ${CLOUD} --json -y`);
    expect(done.exitCode).toBe(0);
    expect(account().calls[0]?.input).toEqual({ cloudUrl: CLOUD, invitation: INVITATION });
    expect(lines(done.stdout).map((line) => line.type)).toEqual(["code", "digits", "let_in", "joined"]);
  });

  test.each([
    ["--invitation ABCD-EFGH", "--invitation takes what codehands pair --phone shows"],
    [`--phone --invitation ${INVITATION}`, "they cannot go together"],
    [`--phone --server ${CLOUD}`, "it takes no --server"],
  ])("%s is a usage error", async (words, says) => {
    const { exitCode, stderr } = await call(words, { tty: true });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
    expect(called()).toEqual([]);
  });
});
