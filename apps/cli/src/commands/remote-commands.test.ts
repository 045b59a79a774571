/** Commands to sessions of other devices: queued, waited for, refused, run elsewhere. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LAPTOP } from "../account-ports.test-kit.ts";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { COMMIT, REMOTE, RUNNING, STOPPED, sessionOf, TREE, WAITING } from "../memory-device.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  server.device.account.signIn();
  for (const id of [WAITING, RUNNING, STOPPED]) server.device.change(id, REMOTE);
});
afterEach(() => server.close());

const call = (words: string, o: Partial<CallOptions> = {}) => callCli(words.split(" "), { home: server.home, ...o });
const AWAY = "queued: laptop is away, last heard 2 h ago";

describe("a device that is away", () => {
  test.each([
    ["approve 3f0f -y", "approve", WAITING],
    ["reject 3f0f", "reject", WAITING],
    ["stop 7abc", "stop", RUNNING],
    ["resume 9def", "resume", STOPPED],
    ["discard 9def", "discard", STOPPED],
  ])("%s is queued: exit 8, and the way back is named", async (words, kind, sessionId) => {
    const { exitCode, stdout, stderr } = await call(words);
    const [sent] = server.device.sent.all;
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: `○ ${AWAY}\n` });
    expect(stderr).toContain(`codehands withdraw ${sent?.commandId.slice(-8)}`);
    expect(sent).toMatchObject({ kind, sessionId, state: "queued" });
    const json = await call(`${words} --json`);
    expect(json.exitCode).toBe(8);
    expect(JSON.parse(json.stdout)).toMatchObject({ pending: { state: "queued", device: { name: "laptop" } } });
  });

  test("approve --json keeps its shape, and claims nothing", async () => {
    const { status, commit, treeId, sessionId } = JSON.parse((await call("approve 3f0f --json")).stdout) as Record<
      string,
      unknown
    >;
    expect({ status, commit, treeId, sessionId }).toEqual({
      status: "awaiting_approval",
      commit: null,
      treeId: TREE,
      sessionId: WAITING,
    });
  });

  test("-q is the session's id, as everywhere", async () => {
    expect((await call("reject 3f0f -q")).stdout).toBe(`${WAITING}\n`);
  });

  test("a person is asked with the device's name", async () => {
    const { stderr } = await call("approve 3f0f", { tty: true, input: "y\n" });
    expect(stderr).toContain("Make this one commit on codehands/add-pkce-to-login-3f0f3e1e on laptop? [y/N]");
  });

  test("one that was just heard of is not called away", async () => {
    server.device.ports.sessions.reject = async ({ commandId }) => {
      const pending = { commandId, state: "delivered" as const, device: REMOTE.device, lastHeardAt: null };
      return { ok: true, session: null, result: null, pending };
    };
    expect((await call("reject 3f0f")).stdout).toBe("○ delivered: laptop is at it\n");
  });
});

describe("--wait", () => {
  /** The laptop answers at the second look. */
  const answers = (act: (sent: (typeof server.device.sent.all)[number]) => void) => {
    let looks = 0;
    server.device.sent.onLook = (sent) => {
      looks += 1;
      if (looks === 1) sent.state = "delivered";
      else act(sent);
    };
  };

  test("the outcome is told as if it were of this device", async () => {
    answers((sent) => {
      Object.assign(sent, { state: "done", result: { branch: "b", commit: COMMIT, treeId: TREE } });
      server.device.change(WAITING, { status: "approved", commit: COMMIT });
    });
    const { exitCode, stdout } = await call("approve 3f0f --wait --json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      sessionId: WAITING,
      status: "approved",
      branch: "b",
      commit: COMMIT,
      treeId: TREE,
    });
  });

  test("a refusal keeps its code and its exit code", async () => {
    answers(
      (sent) => void Object.assign(sent, { state: "refused", code: "stale_tree", reason: "It holds another change." }),
    );
    const { exitCode, stderr } = await call("approve 3f0f --wait --json");
    expect(exitCode).toBe(5);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "stale_tree", message: "It holds another change." } });
  });

  test.each([
    ["expired", "Expired: laptop did not come back within 24 hours, nothing was done."],
    ["in_doubt", "In doubt: it may or may not have run on laptop, look at the session."],
    ["withdrawn", "Withdrawn before laptop began."],
  ] as const)("%s is exit 5", async (state, sentence) => {
    answers((sent) => void (sent.state = state));
    const { exitCode, stderr } = await call("reject 3f0f --wait");
    expect({ exitCode, told: stderr.includes(`error: ${sentence}`) }).toEqual({ exitCode: 5, told: true });
  });

  test("an answer that is in doubt is exit 5, with what went wrong and where to look", async () => {
    const reason = "Laptop went away while it worked at the command. It may or may not have run: look at the session.";
    server.device.ports.sessions.reject = async () => ({
      ok: false,
      code: "in_doubt",
      reason,
      next: "show",
      session: null,
    });
    const told = await call("reject 3f0f");
    expect(told).toMatchObject({ exitCode: 5, stderr: `error: ${reason}\n  hint: codehands show 3f0f\n` });
    const { exitCode, stderr } = await call("reject 3f0f --json");
    expect(exitCode).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "in_doubt", message: reason } });
  });

  test("a device that went away over the command within the moment that it was waited for", async () => {
    server.device.ports.sessions.reject = async ({ commandId, sessionId }) => {
      server.device.sent.send({ commandId, sessionId, kind: "reject", device: REMOTE.device });
      Object.assign(server.device.sent.all[0] ?? {}, { state: "in_doubt" });
      throw new Error("laptop went away");
    };
    const { exitCode, stderr } = await call("reject 3f0f");
    expect(exitCode).toBe(5);
    expect(stderr).toBe(
      "error: In doubt: it may or may not have run on laptop, look at the session.\n  hint: codehands show 3f0f\n",
    );
    server.device.ports.sessions.reject = () => Promise.reject(new Error("a bug"));
    expect((await call("reject 3f0f")).stderr).toContain("error: A fault of ours stopped sessions.reject.");
  });

  test("--timeout is exit 8, and the command stays sent", async () => {
    const { exitCode, stdout, stderr } = await call("reject 3f0f --wait --timeout 0.05");
    expect(exitCode).toBe(8);
    expect(stderr).toContain(`Waiting: ${AWAY}.`);
    expect(stdout).toBe(`○ ${AWAY}\n`);
    expect(server.device.sent.all[0]?.state).toBe("queued");
    expect((await call("reject 3f0f --timeout 5")).stderr).toContain("error: --timeout goes with --wait.");
  });

  test("Ctrl-C leaves it sent, and says how to take it back", async () => {
    let press = (): void => undefined;
    const { exitCode, stderr } = await call("reject 3f0f --wait", {
      interrupts: (pressed) => (press = pressed),
      onStderr: (text) => text.includes("Waiting:") && setImmediate(press),
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain("The command stays sent");
    expect(stderr).toMatch(/hint: codehands withdraw [0-9a-f]{8}/);
  });

  test("resume waits for the device and then follows", async () => {
    answers((sent) => {
      sent.state = "done";
      server.device.change(STOPPED, { status: "running", reason: null });
      setImmediate(() => server.device.change(STOPPED, { status: "awaiting_approval" }));
    });
    const { exitCode, stdout } = await call("resume 9def --wait --json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
      type: "result",
      session: { id: STOPPED, status: "awaiting_approval" },
    });
  });
});

test("stop --all is about this device", async () => {
  const { exitCode, stderr } = await call("stop --all");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("No session of this device is queued or running.");
  expect(server.device.arrived).toEqual([]);
});

describe("run --device", () => {
  let repo = "";
  beforeEach(() => {
    repo = mkdtempSync(join(tmpdir(), "codehands-repo-"));
    execFileSync("git", ["init", "-q", repo]);
  });
  afterEach(() => rmSync(repo, { recursive: true, force: true }));

  test("names the device by its id, and is queued while it is away", async () => {
    const { exitCode, stdout } = await call(`run fix-it --device lap -C ${repo} --json`);
    expect(exitCode).toBe(8);
    const [sent] = server.device.arrived;
    expect(sent).toMatchObject({ kind: "start", input: { deviceId: LAPTOP, repoPath: repo, prompt: "fix-it" } });
    expect(JSON.parse(stdout)).toMatchObject({ id: sent?.input.sessionId, pending: { device: { id: LAPTOP } } });
  });

  test("in a pipe its id is the data, and until it begins every look at it says why there is nothing", async () => {
    const { exitCode, stdout, stderr } = await call(`run fix-it --device lap -C ${repo}`);
    const id = server.device.sent.all[0]?.sessionId ?? "";
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: `${id}\n` });
    expect(stderr).toContain("○ queued: laptop is away");
    const wait = await call(`wait ${id}`);
    expect(wait.exitCode).toBe(8);
    expect(wait.stderr).toContain(`Session ${id} has not begun. Its start: sent to laptop, which has not answered.`);
    Object.assign(server.device.sent.all[0] ?? {}, { state: "refused", reason: "There is no such repository." });
    const show = await call(`show ${id.slice(0, 8)}`);
    expect(show.exitCode).toBe(3);
    expect(show.stderr).toContain("refused by laptop: There is no such repository.");
  });

  test("--wait follows the session once the device has taken it on", async () => {
    server.device.sent.onLook = (sent) => {
      sent.state = "done";
      const id = sent.sessionId ?? "";
      const over = { id, shortId: id.slice(0, 8), status: "awaiting_approval" as const, lastSeq: 0 };
      server.device.sessions.set(id, { ...sessionOf(over), ...REMOTE });
    };
    const { exitCode, stdout } = await call(`run fix-it --device laptop -C ${repo} --wait`);
    expect(exitCode).toBe(0);
    expect(stdout.trim()).toBe(server.device.sent.all[0]?.sessionId);
  });

  test("a device that nobody has starts nothing", async () => {
    expect((await call(`run fix-it --device phone -C ${repo}`)).exitCode).toBe(3);
    expect(server.device.arrived).toEqual([]);
  });

  test("this device by its name is this device", async () => {
    const { exitCode } = await call(`run fix-it --device desktop -C ${repo} -d`);
    expect(exitCode).toBe(0);
    expect(server.device.arrived[0]?.input).not.toHaveProperty("deviceId");
  });

  test("without an account there is no other device: exit 4", async () => {
    await call("logout -y");
    expect((await call(`run fix-it --device laptop -C ${repo}`)).exitCode).toBe(4);
    expect(server.device.arrived).toEqual([]);
  });
});
