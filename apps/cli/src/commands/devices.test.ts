import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DESKTOP, deviceOf, LAPTOP } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
});
afterEach(() => server.close());

const account = () => server.device.account;
const call = (words: string, o: Partial<CallOptions> = {}) =>
  callCli(`devices ${words}`.split(" "), { home: server.home, ...o });

describe("ls", () => {
  test("this device first, removed ones last, and names cannot act on the terminal", async () => {
    const revokedAt = "2026-01-01T03:10:00.000Z";
    account().devices = [
      deviceOf({
        id: "33333333-3333-4333-8333-333333333333",
        name: "old\u001b[2J phone",
        roles: ["command"],
        revokedAt,
      }),
      ...account().devices,
      deviceOf({ id: "44444444-4444-4444-8444-444444444444", name: "web", platform: "web", lastSeenAt: null }),
    ];
    const { exitCode, stdout } = await call("ls");
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "NAME       ID        PLATFORM  MAY                  LAST HEARD",
      "desktop    22222222  linux     admin, command, run  this device",
      "laptop     11111111  linux     admin, command, run  2 h ago",
      "web        44444444  web       admin, command, run  never",
      "old phone  33333333  linux     command              removed 1 d ago",
    ]);
  });

  test("--json has the documented fields", async () => {
    const { devices } = JSON.parse((await call("ls --json")).stdout) as { devices: Record<string, unknown>[] };
    const fields = ["id", "name", "kind", "current", "lastSeenAt", "createdAt", "revokedAt"];
    expect(Object.keys(devices[0] ?? {})).toEqual(expect.arrayContaining(fields));
    expect((await call("ls -q")).stdout).toBe(`${LAPTOP}\n${DESKTOP}\n`);
  });

  test("without an account it is exit 4", async () => {
    await callCli(["logout", "-y"], { home: server.home });
    const { exitCode, stderr } = await call("ls");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: "error: This device is not signed in to an account.\n  hint: codehands login\n",
    });
  });
});

test("rename takes the words as they are", async () => {
  const { exitCode, stdout } = await call("rename my big desktop");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "✔ This device is called my big desktop now.\n" });
  expect(account().calls).toEqual([{ name: "rename", input: "my big desktop" }]);
  expect((await call(`rename ${"x".repeat(65)}`)).exitCode).toBe(2);
});

describe("revoke", () => {
  test("asks a person, and says what it does", async () => {
    const no = await call("revoke lap", { tty: true, input: "n\n" });
    expect(no.exitCode).toBe(10);
    expect(no.stderr).toContain("What it has already, it keeps.");
    expect(no.stderr).toContain("Remove laptop (linux, 11111111) from the account for good? [y/N]");
    const yes = await call("revoke 1111", { tty: true, input: "y\n" });
    expect(yes).toMatchObject({ exitCode: 0, stdout: "✔ Removed laptop (linux, 11111111). A new key is in use.\n" });
    expect(account().calls).toEqual([{ name: "revoke", input: LAPTOP }]);
  });

  test("a program has to mean it", async () => {
    expect((await call("revoke laptop")).exitCode).toBe(2);
    const { stdout } = await call("revoke laptop -y --json");
    expect(JSON.parse(stdout)).toMatchObject({ devices: [{ id: LAPTOP, revokedAt: expect.any(String) }, {}] });
  });

  test.each([
    ["nobody", 3, "There is no device 'nobody' in the account."],
    ["desktop", 5, "is this device. It leaves the account by signing out."],
  ])("revoke %s", async (ref, exitCode, sentence) => {
    const called = await call(`revoke ${ref} -y`);
    expect({ exitCode: called.exitCode, told: called.stderr.includes(sentence) }).toEqual({ exitCode, told: true });
    expect(account().calls).toEqual([]);
  });

  test("a device that may not is told so", async () => {
    account().ports.devices.revoke = async () => ({ ok: false, code: "NOT_ALLOWED", reason: "Only an admin may." });
    expect((await call("revoke laptop -y")).exitCode).toBe(4);
  });
});

test("V25 verify shows the symbols to compare", async () => {
  const { stdout, stderr } = await call("verify");
  expect(stdout).toBe("ABCDE-FGHJK-MNPQR-STVWX\n");
  expect(stderr).toContain("Run this on another device and compare.");
  expect(JSON.parse((await call("verify --json")).stdout)).toMatchObject({ rosterSeq: 3, devices: 2 });
  account().view = { ...account().view, state: "signed_out" };
  expect((await call("verify")).exitCode).toBe(4);
});
