/** The side that lets in: it asks for the digits and never shows them. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DESKTOP, PAIRING } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
});
afterEach(() => server.close());

const account = () => server.device.account;
const called = () => account().calls.map((one) => one.name);
const approve = (named: string, words: string, o: Partial<CallOptions> = {}) =>
  callCli(`pair approve ${named} ${words}`.trim().split(" "), { home: server.home, ...o });
const call = (words: string, o: Partial<CallOptions> = {}) => approve("ABCD-EFGH", words, o);
/** The second call, for a pairing that was looked up. */
const again = (words: string, o: Partial<CallOptions> = {}) => approve(PAIRING, words, o);

describe("a person", () => {
  test("V29 sees who asks, from where and since when, and types what the new device shows", async () => {
    account().inviter = [
      { state: "waiting" },
      { state: "revealed", name: "des\u001b]0;x\u0007ktop", platform: "linux" },
    ];
    const { exitCode, stdout, stderr } = await call("", { tty: true, input: "084 037\n" });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("  desktop   linux   near Berlin, Germany (says the cloud)   began 40 s ago\n");
    expect(stderr).toContain("Only if you started this on a device in your hand.");
    expect(stdout + stderr).not.toContain("\u001b");
    expect(stdout).toBe("✔ desktop is let in: it reads the account's sessions from now on.\n");
    expect(account().calls.at(-1)).toEqual({ name: "approve", input: { pairingId: PAIRING, digits: "084037" } });
  });

  test("V29 the digits are never shown", async () => {
    const { stdout, stderr } = await call("", { tty: true, input: "111111\n" });
    expect(stdout + stderr).not.toMatch(/084.?037/);
  });

  test("wrong digits are asked for again while tries are left, then the pairing is dead", async () => {
    const input = ["12345\n", "111111\n", "222222\n", "333333\n"];
    const { exitCode, stderr } = await call("", { tty: true, input });
    expect(exitCode).toBe(5);
    expect(stderr).toContain("Those are not six digits. Nothing was sent");
    expect(stderr).toContain("2 tries are left.");
    expect(stderr).toContain("One try is left.");
    expect(called()).toEqual(["lookUp", "approve", "approve", "approve", "cancel"]);
  });

  test.each(["\n", ""])("nothing typed (%j) is no: exit 10, nothing is shared", async (input) => {
    const { exitCode, stderr } = await call("", { tty: true, input });
    expect(exitCode).toBe(10);
    expect(stderr).toContain("Nothing was shared with it.");
    expect(called()).toEqual(["lookUp", "cancel"]);
  });

  test("Ctrl-C at the question ends the pairing: exit 130", async () => {
    let press = (): void => undefined;
    const { exitCode } = await call("", {
      tty: true,
      input: new Promise<string[]>(() => undefined),
      interrupts: (pressed) => (press = pressed),
      onStderr: (text) => text.includes("The six digits") && setImmediate(press),
    });
    expect(exitCode).toBe(130);
    expect(called()).toEqual(["lookUp", "cancel"]);
  });

  test("digits as an option are confirmed once the device is seen", async () => {
    expect((await call("--digits 084037", { tty: true, input: "n\n" })).exitCode).toBe(10);
    expect((await again("--digits 084037", { tty: true, input: "y\n" })).exitCode).toBe(0);
    expect((await again("--digits 084037 -y", { tty: true })).exitCode).toBe(0);
  });
});

describe("a program", () => {
  test("names the digits and gets the device", async () => {
    const { exitCode, stdout, stderr } = await call("--digits 084037 --json");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ device: { id: DESKTOP, name: "desktop" } });
  });

  test("gives the digits on stdin once the device shows them", async () => {
    account().inviter = [{ state: "waiting" }, { state: "revealed", name: "desktop", platform: "linux" }];
    const { exitCode, stdout } = await call("--digits-stdin --json", { input: "084037\n" });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ device: { id: DESKTOP, name: "desktop" } });
  });

  test("or calls twice: the first call says who asks and leaves the pairing open", async () => {
    const { exitCode, stdout } = await call("--json");
    expect(exitCode).toBe(8);
    const device = { name: "desktop", platform: "linux", place: "Berlin, Germany", ageSeconds: 40 };
    expect(JSON.parse(stdout)).toEqual({ asks: { code: "ABCD-EFGH", pairingId: PAIRING, ...device } });
    expect((await call("")).stderr).toContain("codehands pair approve ABCD-EFGH --digits NNNNNN");
    expect((await call("-q")).stdout).toBe(`${PAIRING}\n`);
    expect((await call("--digits 084037")).exitCode).toBe(0);
    expect(called()).toEqual(["lookUp", "lookUp", "lookUp", "lookUp", "approve"]);
  });

  test("the id that the first call told goes on as well, and a code of two words is told as one", async () => {
    const { exitCode, stderr } = await callCli(["pair", "approve", "abcd efgh"], { home: server.home });
    expect({ exitCode, told: stderr.includes("pair approve abcd-efgh --digits") }).toEqual({ exitCode: 8, told: true });
    expect((await again("--digits 084037")).exitCode).toBe(0);
    expect(called()).toEqual(["lookUp", "approve"]);
  });

  test("wrong digits leave it open while there are tries, then it is dead", async () => {
    const { exitCode, stderr } = await call("--digits 111111 --json");
    expect(exitCode).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "wrong_digits" } });
    expect((await again("--digits-stdin", { input: "222222\n" })).stderr).toContain("One try is left.");
    expect(JSON.parse((await again("--digits 333333 --json")).stderr)).toMatchObject({
      error: { code: "PAIR_MISMATCH" },
    });
    expect(called().filter((name) => name !== "lookUp")).toEqual(["approve", "approve", "approve", "cancel"]);
  });

  test("stdin without digits ends the pairing", async () => {
    expect((await call("--digits-stdin", { input: "" })).exitCode).toBe(2);
    expect(called()).toEqual(["lookUp", "cancel"]);
  });

  test.each([
    ["--digits 084037 --digits-stdin", "--digits and --digits-stdin cannot go together."],
    ["--digits 12345", "--digits takes the six digits that the new device shows."],
    ["--digits abcdef", "--digits takes the six digits that the new device shows."],
    ["--digits 084037 --roles boss", "--roles takes one of admin, command, run, not 'boss'."],
  ])("nothing is sent for `%s`", async (words, sentence) => {
    const { exitCode, stderr } = await call(words);
    expect({ exitCode, told: stderr.includes(`error: ${sentence}`) }).toEqual({ exitCode: 2, told: true });
    expect(called()).toEqual([]);
  });

  test("a person may give less than is asked for", async () => {
    await call("--digits 084037 --roles command,run");
    expect(account().calls.at(-1)?.input).toMatchObject({ roles: ["command", "run"] });
  });
});

test("a code that means nothing, and a device that may not let in", async () => {
  account().found = { ok: false, code: "not_found", reason: "No device shows this code." };
  expect((await call("--digits 084037")).exitCode).toBe(3);
  account().found = { ok: false, code: "NOT_ALLOWED", reason: "This device may not let others in." };
  const { exitCode, stderr } = await call("--digits 084037");
  expect({ exitCode, told: stderr.includes("may not let others in") }).toEqual({ exitCode: 4, told: true });
});

test("a pairing that dies meanwhile is told with its reason", async () => {
  account().inviter = [
    { state: "waiting" },
    { state: "dead", code: "PAIR_COMMITMENT", reason: "Not the one that began." },
  ];
  const { exitCode, stderr } = await call("--digits 084037");
  expect(exitCode).toBe(5);
  expect(stderr).toContain("error: Not the one that began.\n  hint: codehands pair\n");
});
