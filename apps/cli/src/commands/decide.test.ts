/** Who decides, and on what: approve, reject and the other decisions. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { COMMIT, DIFF, TREE, WAITING } from "../memory-device.test-kit.ts";
import { ALL_COMMANDS } from "../program/all-commands.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const call = (words: string[], o: Partial<CallOptions> = {}) => callCli(words, { home: server.home, ...o });

describe("approve", () => {
  test("--json is exactly what was made", async () => {
    const { stdout, stderr } = await call(["approve", "3f0f", "--json", "-m", "feat: x"]);
    expect(JSON.parse(stdout)).toEqual({
      sessionId: WAITING,
      status: "approved",
      branch: "codehands/add-pkce-to-login-3f0f3e1e",
      commit: COMMIT,
      treeId: TREE,
    });
    expect(stderr).toBe("");
    expect(server.device.arrived[0]?.input).toMatchObject({
      treeId: TREE,
      message: "feat: x",
      expects: ["awaiting_approval"],
    });
  });

  test("on a terminal it shows the change, asks, and sends the tree it has shown", async () => {
    const shown = "d".repeat(40);
    server.device.diff = { ...DIFF, treeId: shown };
    const { exitCode, stderr } = await call(["approve", "3f0f"], { tty: true, input: "y\n" });
    expect(stderr).toContain("M login.ts  +1 -1");
    expect(stderr).toContain("Make this one commit on codehands/add-pkce-to-login-3f0f3e1e? [y/N]");
    expect(server.device.arrived[0]?.input.treeId).toBe(shown);
    // The session's tree is another one: what was shown is what is judged.
    expect(exitCode).toBe(5);
  });

  test.each(["n\n", "\n", "what\n", ""])("everything but yes (%j) is no: nothing is sent", async (input) => {
    const { exitCode, stderr } = await call(["approve", "3f0f"], { tty: true, input });
    expect(exitCode).toBe(10);
    expect(stderr).toContain("Nothing was approved: you said no.");
    expect(server.device.arrived).toEqual([]);
  });

  test.each([
    { words: ["-y"], tty: true },
    { words: ["--no-input"], tty: true },
    { words: [], tty: false },
  ])("%o asks nothing", async ({ words, tty }) => {
    const { exitCode, stderr } = await call(["approve", "3f0f", ...words], { tty });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("[y/N]");
  });

  test("a refusal names what allows it", async () => {
    const refused = { ok: false, code: "secret_in_change", reason: "A secret.", next: "diff", session: null } as const;
    server.device.ports.sessions.approve = async () => refused;
    const { exitCode, stderr } = await call(["approve", "3f0f"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 5,
      stderr: "error: A secret.\n  hint: codehands approve 3f0f --allow-secrets\n",
    });
  });

  test("a hint never names a command that does not exist", async () => {
    const refused = { ok: false, code: "illegal_move", reason: "No.", next: "follow-up", session: null } as const;
    server.device.ports.sessions.approve = async () => refused;
    expect((await call(["approve", "3f0f"])).stderr).toContain("hint: codehands show 3f0f");
  });
});

describe("agent_may_not: inside an agent's run nothing is decided, and nothing is sent", () => {
  const deciding = ALL_COMMANDS.filter((spec) => spec.decides).map((spec) => spec.path);
  test("these decide", () => {
    expect(deciding).toEqual([
      ...["approve", "reject", "discard", "clean"],
      ...["repos trust", "repos untrust", "repos relocate", "config set", "config unset"],
      ...["signup", "login", "logout", "recover", "pair", "pair approve", "devices rename", "devices revoke"],
      ...["sync pause", "sync resume", "sync reset", "sync acknowledge", "sync identity", "withdraw"],
      "serve password",
    ]);
  });

  test.each(deciding)("%s", async (path) => {
    const args = ALL_COMMANDS.find((spec) => spec.path === path)?.args?.match(/<[^>]+>/g) ?? [];
    const words = [...path.split(" "), ...args.map(() => "3f0f"), "--json"];
    const { exitCode, stdout, stderr } = await call(words, { variables: { CODEHANDS_RUN_ID: "r1" } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "agent_may_not" } });
    expect(server.requests).toEqual([]);
  });

  test("an agent may look, and its calls carry its run", async () => {
    const { exitCode } = await call(["show", "3f0f", "-q"], { variables: { CODEHANDS_RUN_ID: "r1" } });
    expect(exitCode).toBe(0);
  });
});

describe("who calls decides the form of the answer", () => {
  test("an agent gets JSON, and one JSON line for an error", async () => {
    const variables = { CLAUDECODE: "1" };
    expect(JSON.parse((await call(["show", "3f0f"], { variables })).stdout)).toMatchObject({ id: WAITING });
    const { stderr } = await call(["show", "ffff"], { variables });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "not_found", exitCode: 3, hint: "codehands ls --all-repos" },
    });
  });

  test("not in CI, and not with --no-json", async () => {
    expect((await call(["config", "get", "budgetUsd"], { variables: { CLAUDECODE: "1", CI: "1" } })).stdout).toBe(
      "0.5\n",
    );
    expect((await call(["config", "get", "budgetUsd", "--no-json"], { variables: { CLAUDECODE: "1" } })).stdout).toBe(
      "0.5\n",
    );
  });

  test("an agent that asks for the patch gets the patch", async () => {
    expect((await call(["diff", "3f0f", "--patch"], { variables: { CLAUDECODE: "1" } })).stdout).toBe(DIFF.patch);
  });
});

test("Windows gets one sentence", async () => {
  const { exitCode, stderr } = await call(["ls"], { platform: "win32" });
  expect(exitCode).toBe(1);
  expect(stderr).toBe("error: Code Hands runs on Linux and macOS; on Windows run it inside WSL 2.\n");
});
