import type { SentCommand } from "@codehands/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LAPTOP } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { WAITING } from "../memory-device.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
});
afterEach(() => server.close());

const account = () => server.device.account;
const call = (words: string, o: Partial<CallOptions> = {}) => callCli(words.split(" "), { home: server.home, ...o });
const see = (over: Partial<ReturnType<typeof account>["sync"]>) => {
  account().sync = { ...account().sync, ...over };
};

/** Sent five minutes before `NOW` to the laptop. */
const sent = (over: Partial<SentCommand> = {}): SentCommand => ({
  commandId: "019b7caa-6360-7000-8000-0000aaaabbbb",
  sessionId: WAITING,
  kind: "approve",
  state: "queued",
  device: { id: LAPTOP, name: "laptop" },
  lastHeardAt: "2026-01-02T01:10:00.000Z",
  code: null,
  reason: null,
  result: null,
  ...over,
});

describe("status", () => {
  test("the age of the last exchange, never `online`", async () => {
    expect((await call("sync status")).stdout).toBe("✔ Nothing left to exchange. Last exchange: just now.\n");
    see({ state: "retrying", lastRoundTripAt: "2026-01-01T01:10:00.000Z", error: "The cloud said 401." });
    expect((await call("sync status")).stdout).toBe(
      "! The cloud did not answer; it is tried again. Last exchange: 1 d ago.\n  The cloud said 401.\n",
    );
  });

  test("who waits long for an answer is told so before the request ends", async () => {
    see({ state: "working", lastRoundTripAt: "2026-01-02T03:08:40.000Z", pendingPush: { events: 3, records: 0 } });
    expect((await call("sync status")).stdout).toBe(
      "! The cloud does not answer; the sync waits for it. Last exchange: 1 min ago.\n  to send: 3 events\n",
    );
    see({ lastRoundTripAt: "2026-01-02T03:09:40.000Z" });
    expect((await call("sync status")).stdout).toMatch(/^● Exchanging\./);
  });

  test("what is pending, refused, and what does not fit, without acting on the terminal", async () => {
    see({
      state: "stopped",
      head: 50,
      pendingPush: { events: 12, records: 1 },
      refused: [{ what: "session 3f0f", code: "TOO_LARGE", reason: "This is larger\u001b[2J than anything may be." }],
      suspicions: [{ code: "WITHHELD", what: "laptop", text: "Something is not delivered.\u202e" }],
      error: "Another copy of this device lives.",
      ask: "copy",
    });
    const { stdout } = await call("sync status");
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    for (const words of [
      "✖ Stopped: a person has to act.",
      "codehands sync identity new   codehands sync identity this",
      "Another copy of this device lives.",
      "to send: 12 events, 1 record",
      "to fetch: version 41 of 50",
      "session 3f0f: This is larger than anything may be. (TOO_LARGE)",
      "laptop: Something is not delivered. (WITHHELD)",
      "codehands devices verify   codehands sync acknowledge",
    ])
      expect(stdout).toContain(words);
  });

  test("what was sent to other devices, and what became of it", async () => {
    server.device.sent.all.push(
      sent(),
      sent({ commandId: "019b7caa-6360-7000-8000-0000ccccdddd", state: "refused", reason: "Stale.", kind: "stop" }),
    );
    const { stdout } = await call("sync status");
    expect(stdout).toMatch(
      /^ {2}aaaabbbb {2}approve 3f0f3e1e {3}queued: laptop is away, last heard 2 h ago {3}\(5 min ago\)$/m,
    );
    expect(stdout).toMatch(/^ {2}ccccdddd {2}stop 3f0f3e1e {3}refused by laptop: Stale\. {3}\(/m);
  });

  test("of many commands the newest are shown, and all that have no answer", async () => {
    const one = (n: number, state: SentCommand["state"]) =>
      sent({ commandId: `019b7caa-6360-7000-8000-0000000000${String(n).padStart(2, "0")}`, state });
    for (let n = 10; n < 30; n += 1) server.device.sent.all.push(one(n, n === 29 ? "queued" : "done"));
    const { stdout } = await call("sync status");
    expect(stdout.match(/^ {2}\d{8} {2}approve/gm)).toHaveLength(11);
    expect(stdout).toMatch(/00000029 {2}approve 3f0f3e1e {3}queued/);
  });

  test("--json has the documented fields, signed in or not", async () => {
    const fields = ["state", "cursor", "head", "pendingPush", "lastRoundTripAt", "refused", "error", "commands"];
    expect(Object.keys(JSON.parse((await call("sync status --json")).stdout) as object)).toEqual(
      expect.arrayContaining(fields),
    );
    see({ state: "off", lastRoundTripAt: null });
    const off = await call("sync status --json");
    expect(off.exitCode).toBe(0);
    expect(JSON.parse(off.stdout)).toMatchObject({ state: "off", commands: [] });
    expect((await call("sync status")).stdout).toBe("○ Off: this device is not signed in.\n");
  });
});

describe("now", () => {
  test.each([
    ["resting", 0],
    ["paused", 0],
    ["retrying", 7],
    ["stopped", 5],
  ] as const)("%s is exit %d", async (state, exitCode) => {
    see({ state });
    expect((await call("sync now -q")).exitCode).toBe(exitCode);
  });
});

describe("pause, resume, reset, identity", () => {
  test.each([
    { words: "pause", sends: { name: "pause", input: null }, state: "paused" },
    { words: "resume", sends: { name: "resume", input: null }, state: "working" },
    { words: "reset", sends: { name: "reset", input: null }, state: "working" },
    { words: "identity new", sends: { name: "identity", input: { as: "new" } }, state: "resting" },
    { words: "identity this", sends: { name: "identity", input: { as: "this" } }, state: "resting" },
  ])("sync $words", async ({ words, sends, state }) => {
    const { exitCode, stdout } = await call(`sync ${words} --json`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state });
    expect(account().calls).toEqual([sends]);
  });

  test("S3 who is still asked which copy this is was refused", async () => {
    see({ state: "stopped", ask: "copy" });
    account().staysCopy = "An agent of this copy is at work.";
    const { exitCode, stdout } = await call("sync identity new");
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 5, stdout: expect.stringContaining("is at work") });
  });

  test("an identity that is none", async () => {
    const { exitCode, stderr } = await call("sync identity old");
    expect({ exitCode, told: stderr.includes("not 'old'") }).toEqual({ exitCode: 2, told: true });
  });
});

describe("acknowledge", () => {
  beforeEach(() => see({ suspicions: [{ code: "EQUIVOCATION", what: "laptop", text: "Two histories." }] }));

  test("a person sees it once more and is asked", async () => {
    const no = await call("sync acknowledge", { tty: true, input: "n\n" });
    expect(no.exitCode).toBe(10);
    expect(no.stderr).toContain("laptop: Two histories. (EQUIVOCATION)");
    expect(account().sync.suspicions).toHaveLength(1);
    expect((await call("sync acknowledge", { tty: true, input: "y\n" })).exitCode).toBe(0);
    expect(account().sync.suspicions).toEqual([]);
  });

  test("a program has to mean it", async () => {
    expect((await call("sync acknowledge --json")).exitCode).toBe(2);
    expect((await call("sync acknowledge --json -y")).exitCode).toBe(0);
  });
});

describe("withdraw", () => {
  beforeEach(() => void server.device.sent.all.push(sent()));

  test.each(["aaaabbbb", "019b7caa-6360-7000-8000-0000aaaabbbb", "019b7caa"])("by %s", async (ref) => {
    const { exitCode, stdout } = await call(`withdraw ${ref}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "✔ Withdrawn: approve will not run.\n" });
    expect(server.device.sent.all[0]?.state).toBe("withdrawn");
  });

  test("too late, unknown, or two of them", async () => {
    server.device.sent.all[0] = sent({ state: "delivered" });
    const late = await call("withdraw aaaabbbb --json");
    expect(late.exitCode).toBe(5);
    expect(JSON.parse(late.stderr)).toMatchObject({ error: { hint: "codehands sync status" } });
    expect((await call("withdraw ffff")).exitCode).toBe(3);
    server.device.sent.all.push(sent({ commandId: "019b7caa-6360-7000-8000-1111aaaabbbb" }));
    expect((await call("withdraw aaaabbbb")).exitCode).toBe(2);
  });
});
