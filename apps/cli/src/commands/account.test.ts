/** Signing up, in and out, and getting back in: on a terminal and for programs. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOUD, NEW_CODE, RECOVERY_CODE } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const account = () => server.device.account;
const call = (line: string, o: Partial<CallOptions> = {}) => callCli(line.split(" "), { home: server.home, ...o });
const PASSWORD = "a long secret";
const NEW = `--server ${CLOUD} --email new@example.org`;
const EVE = `--server ${CLOUD} --email eve@example.org`;

describe("signup", () => {
  test("a program gives the password on stdin and gets the recovery code once", async () => {
    const called = await call(`signup ${NEW} --password-stdin --json`, { input: `${PASSWORD}\n` });
    expect(called).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(called.stdout)).toMatchObject({
      account: { state: "active", email: "new@example.org", cloudUrl: CLOUD },
      recoveryCode: RECOVERY_CODE,
    });
    expect(account().calls).toEqual([
      { name: "signUp", input: { cloudUrl: CLOUD, email: "new@example.org", password: PASSWORD } },
    ]);
    expect((await call("whoami --json")).stdout).not.toContain(RECOVERY_CODE);
  });

  test("in a pipe the code alone is data", async () => {
    const called = await call(`signup ${NEW} --password-stdin`, { input: PASSWORD });
    expect(called).toMatchObject({ exitCode: 0, stdout: `${RECOVERY_CODE}\n` });
    expect(called.stderr).toContain(`codehands pair --server ${CLOUD}`);
  });

  test("a person types everything, the password unseen, and proves to have kept the code", async () => {
    const raw: boolean[] = [];
    const input = [`${CLOUD}\n`, "new@example.org\n", `${PASSWORD}\r`, `${PASSWORD}\r`, "wrong\n", "5555z\n"];
    const { exitCode, stdout, stderr } = await call("signup", { tty: true, input, onRawMode: (on) => raw.push(on) });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(RECOVERY_CODE);
    expect(stderr).toContain("That is not its last group.");
    expect(stderr).toContain("Signed up as new@example.org.");
    expect(stdout + stderr).not.toContain(PASSWORD);
    expect(raw).toEqual([true, false, true, false]);
  });

  test("who goes away without confirming is warned, and the account is there", async () => {
    const input = [`${PASSWORD}\r`, `${PASSWORD}\r`];
    const { exitCode, stderr } = await call(`signup ${NEW}`, { tty: true, input });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("warning: You have not shown that you have the recovery code.");
    expect(account().view.state).toBe("active");
  });

  test("two passwords that differ send nothing", async () => {
    const { exitCode, stderr } = await call(`signup ${NEW}`, { tty: true, input: ["one\r", "two\r"] });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("The two passwords are not the same. Nothing was sent.");
    expect(account().calls).toEqual([]);
  });

  test("Ctrl-C at the password is exit 130 and sends nothing", async () => {
    expect((await call(`signup ${NEW}`, { tty: true, input: ["hun\u0003"] })).exitCode).toBe(130);
    expect(account().calls).toEqual([]);
  });

  test("a device that is signed in is told so before it is asked anything", async () => {
    account().signIn();
    const { exitCode, stderr } = await call(`signup ${NEW} --password-stdin --json`, { input: PASSWORD });
    expect(exitCode).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "signed_in_already", hint: "codehands whoami" } });
    expect(account().calls).toEqual([]);
  });

  test("the password is no option, and nothing asks without a terminal", async () => {
    expect((await call(`signup ${NEW} --password x`)).stderr).toContain("Unknown option '--password'");
    const { exitCode, stderr } = await call(`signup ${NEW}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Give it on stdin with --password-stdin.");
    expect((await call(`signup ${NEW} --password-stdin`, { input: "" })).stderr).toContain("There is no password.");
    expect((await call(`signup ${NEW}`, { tty: true, input: ["x\r"], variables: { CLAUDECODE: "1" } })).exitCode).toBe(
      2,
    );
    expect(account().calls).toEqual([]);
  });

  test.each([
    ["--server hands.example --email a@b", "'hands.example' is not the address of a cloud."],
    ["--email a@b", "There is no cloud to go to."],
    [`--server ${CLOUD}`, "Say who you are with --email <address>."],
    [`--server ${CLOUD} --email eve`, "'eve' is not an e-mail address."],
  ])("signup %s", async (words, sentence) => {
    const { exitCode, stderr } = await call(`signup ${words} --password-stdin`, { input: PASSWORD });
    expect({ exitCode, told: stderr.includes(`error: ${sentence}`) }).toEqual({ exitCode: 2, told: true });
  });
});

describe("where the cloud is", () => {
  test("the setting counts without --server, and --server counts more", async () => {
    await call(`config set cloud.url ${CLOUD}`);
    await call("login --email eve@example.org --password-stdin", { input: "x" });
    await call("login --email eve@example.org --server http://127.0.0.1:8787 --password-stdin", { input: "x" });
    const asked = account().calls.map((one) => (one.input as { cloudUrl: string }).cloudUrl);
    expect(asked).toEqual([CLOUD, "http://127.0.0.1:8787"]);
  });

  test("a password on an open line is warned of; not on this machine", async () => {
    const words = "--email eve@example.org --password-stdin";
    const open = await call(`login --server http://hands.example ${words}`, { input: "x" });
    expect(open.stderr).toContain("warning: http://hands.example is not encrypted");
    const own = await call(`login --server http://localhost:8787 ${words}`, { input: "x" });
    expect(own.stderr).not.toContain("warning");
  });
});

describe("login", () => {
  test("is locked until another device or the code brings the keys", async () => {
    const called = await call(`login ${EVE} --password-stdin`, { input: "correct horse" });
    expect(called).toMatchObject({ exitCode: 0, stdout: "" });
    expect(called.stderr).toContain("The account has 2 devices and 7 sessions.");
    expect(called.stderr).toContain("codehands pair");
    const who = await call("whoami");
    expect(who.exitCode).toBe(4);
    expect(who.stdout).toContain("Logged in as eve@example.org");
  });

  test("a wrong password is exit 4, and nobody sees it", async () => {
    const { exitCode, stdout, stderr } = await call(`login ${EVE} --password-stdin --json`, { input: "wrong one" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "wrong_password" } });
    expect(stderr).not.toContain("wrong one");
  });

  test.each([
    ["unreachable", 7],
    ["too_many", 9],
    ["refused", 5],
  ] as const)("%s is exit %d with its own words", async (code, exitCode) => {
    account().ports.account.logIn = async () => ({ ok: false, code, reason: "So it is.\u001b[2J" });
    const called = await call(`login ${EVE} --password-stdin`, { input: "x" });
    expect(called.exitCode).toBe(exitCode);
    expect(called.stderr).toContain("error: So it is.\n");
  });
});

describe("recover", () => {
  test("a program gives two lines and gets the new code", async () => {
    const called = await call(`recover ${EVE} --password-stdin --json`, { input: `correct horse\n${RECOVERY_CODE}\n` });
    expect(called.exitCode).toBe(0);
    expect(JSON.parse(called.stdout)).toMatchObject({ recoveryCode: NEW_CODE, others: [{ platform: "linux" }] });
  });

  test("a person is told of the other devices, and that the state may be old", async () => {
    const input = ["correct horse\r", `${RECOVERY_CODE}\n`, "FFFFF\n"];
    const { exitCode, stdout, stderr } = await call(`recover ${EVE}`, { tty: true, input });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(NEW_CODE);
    expect(stderr).toContain("warning: The cloud could have shown an older state.");
    expect(stderr).toContain("laptop (linux)   codehands devices revoke 11111111");
  });

  test("a code that is none is exit 2, and a missing one as well", async () => {
    const wrong = await call(`recover ${EVE} --password-stdin --json`, { input: "correct horse\nABC\n" });
    expect(wrong.exitCode).toBe(2);
    expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { code: "bad_code" } });
    const missing = await call(`recover ${EVE} --password-stdin`, { input: "correct horse\n" });
    expect(missing.stderr).toContain("With --password-stdin it is the second line of stdin.");
  });
});

describe("recover --renew", () => {
  test("V34 a person on a signed in device gets a new code, once, and proves to have kept it", async () => {
    account().signIn();
    const { exitCode, stdout, stderr } = await call("recover --renew", { tty: true, input: ["wrong\n", "FFFFF\n"] });
    expect(exitCode).toBe(0);
    expect(stdout.split(NEW_CODE)).toHaveLength(2);
    expect(stderr).not.toContain(NEW_CODE);
    expect(stderr).toContain("That is not its last group.");
    expect(stderr).toContain("The code before it is void.");
    expect(account().calls).toEqual([{ name: "renewCode", input: null }]);
  });

  test("a program gets it as data", async () => {
    account().signIn();
    expect(await call("recover --renew --json")).toEqual({
      exitCode: 0,
      stdout: `{"recoveryCode":"${NEW_CODE}"}\n`,
      stderr: "",
    });
    expect(await call("recover --renew -q")).toEqual({ exitCode: 0, stdout: `${NEW_CODE}\n`, stderr: "" });
  });

  test("a device that is no admin, or not signed in, is told so", async () => {
    expect((await call("recover --renew --json")).exitCode).toBe(4);
    account().signIn();
    account().view = { ...account().view, roles: ["command"] };
    const { exitCode, stdout, stderr } = await call("recover --renew");
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "" });
    expect(stderr).toContain("error: This device may not make a recovery code.");
  });

  test("a login beside it is a mistake, and a recovery on a signed in device names it", async () => {
    account().signIn();
    for (const words of ["--server https://x", "--email a@b", "--password-stdin"])
      expect((await call(`recover --renew ${words}`, { input: "x" })).exitCode).toBe(2);
    expect(account().calls).toEqual([]);
    const { exitCode, stderr } = await call(`recover ${EVE} --password-stdin`, { input: "x" });
    expect({ exitCode, told: stderr.includes("hint: codehands recover --renew") }).toEqual({ exitCode: 5, told: true });
  });
});

describe("logout", () => {
  test("asks a person, and says what was kept", async () => {
    account().signIn();
    expect((await call("logout", { tty: true, input: "n\n" })).exitCode).toBe(10);
    expect(account().view.state).toBe("active");
    const { exitCode, stdout, stderr } = await call("logout --all", { tty: true, input: "y\n" });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("What was made here stays.");
    expect(stdout).toBe("✔ Signed out.\n  Your 3 own sessions were kept.\n");
    expect(account().calls).toEqual([{ name: "logOut", input: { all: true } }]);
  });

  test("a program has to mean it", async () => {
    account().signIn();
    expect((await call("logout")).exitCode).toBe(2);
    expect((await call("logout --json -y")).stdout).toBe('{"ok":true,"notes":["Your 3 own sessions were kept."]}\n');
  });
});

describe("whoami", () => {
  test("says who, where, and which device", async () => {
    account().signIn();
    const { exitCode, stdout } = await call("whoami");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`✔ eve@example.org at ${CLOUD}, device desktop (admin, command, run).\n`);
    expect(JSON.parse((await call("whoami --json")).stdout)).toMatchObject({ state: "active", deviceName: "desktop" });
    expect((await call("whoami -q")).stdout).toBe("eve@example.org\n");
  });

  test("is exit 4 where a person has to sign in, or to act", async () => {
    expect((await call("whoami")).stdout).toContain("Not signed in.");
    account().signIn();
    account().view = { ...account().view, state: "stopped", reason: "The account has another vault now." };
    const { exitCode, stdout } = await call("whoami");
    expect(exitCode).toBe(4);
    expect(stdout).toContain("The account has another vault now.   codehands sync status");
  });
});
