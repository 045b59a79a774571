import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { openSettingsRoom } from "../settings/settings-room.test-kit.ts";
import { createAskProgram } from "./ask-program.ts";
import { findProgram } from "./find-program.ts";
import { putProviderStatus } from "./provider-rows.ts";
import { isClaudeSignedIn, isCodexSignedIn } from "./sign-in.ts";

let room: ReturnType<typeof openSettingsRoom>;
beforeEach(() => {
  room = openSettingsRoom();
});
afterEach(() => room.close());

// What the real program prints, word for word where it matters.
const CLAUDE = (loggedIn: boolean) => `
echo "$*" >> "$HOME/asked"
case "$*" in
  --version) echo "2.1.332 (Claude Code)" ;;
  "auth --help") echo "Usage: claude auth [options] [command]" ;;
  "auth status --json") echo '{ "loggedIn": ${loggedIn}, "authMethod": "none" }'; ${loggedIn ? "exit 0" : "exit 1"} ;;
  *) echo "an agent ran: money was spent" > "$HOME/spent" ;;
esac`;

const agentOf = async (agent: string) => (await room.agents.list()).find((view) => view.agent === agent);

describe("the agents of this device", () => {
  it("without any program: the sample agent alone can run", async () => {
    room.close();
    room = openSettingsRoom({ path: "/nowhere" });
    expect(await room.agents.list()).toEqual([
      { agent: "claude-code", path: null, version: null, signedIn: "unknown", provider: null },
      { agent: "codex", path: null, version: null, signedIn: "unknown", provider: null },
      { agent: "sample", path: process.execPath, version: "0.1.0", signedIn: true, provider: null },
    ]);
  });

  it.each([true, false])("Claude Code, signed in: %s", async (loggedIn) => {
    room.writeProgram("claude", CLAUDE(loggedIn));
    const path = join(room.folder, "bin/claude");
    expect(await agentOf("claude-code")).toMatchObject({ path, version: "2.1.332", signedIn: loggedIn });
    expect(await room.agents.preferred(null)).toBe("claude-code");
  });

  it("asks for the version once, until the program is another one", async () => {
    room.writeProgram("claude", "echo '1.0.0 (Claude Code)'");
    expect(await agentOf("claude-code")).toMatchObject({ version: "1.0.0" });
    room.writeProgram("claude", "echo '1.0.1 (Claude Code)  '");
    expect(await agentOf("claude-code")).toMatchObject({ version: "1.0.1" });
  });

  it("a program that we do not know is never asked about its sign-in: it could take the words for a prompt", async () => {
    room.writeProgram("claude", `[ "$*" = --version ] && echo "9.9.9 (something else)" || touch "$HOME/spent"`);
    expect(await agentOf("claude-code")).toMatchObject({ version: "9.9.9", signedIn: "unknown" });
    room.writeProgram(
      "claude",
      `case "$*" in --version) echo "1.0.0 (Claude Code)";; "auth --help") echo "Usage: claude [options]";; *) touch "$HOME/spent";; esac`,
    );
    expect(await agentOf("claude-code")).toMatchObject({ version: "1.0.0", signedIn: "unknown" });
    expect(await findProgram(join(room.folder, "spent"), "")).toBeNull();
  });

  it("the configured agent and program win", async () => {
    room.writeProgram("mine", "echo '0.171.0 codex-cli'");
    await room.settings.set("agents.codex.command", [join(room.folder, "bin/mine"), "--flag"]);
    await room.settings.set("agent", "codex");
    expect(await room.agents.preferred(null)).toBe("codex");
    expect(await agentOf("codex")).toMatchObject({ path: join(room.folder, "bin/mine"), version: "0.171.0" });
    await room.settings.set("agents.codex.command", ["/gone/codex"]);
    expect(await room.agents.findAgent("codex")).toEqual({
      ok: false,
      reason: expect.stringMatching(/\/gone\/codex.*codex.*agents\.codex\.command/),
    });
  });

  it("shows how the provider answered last", async () => {
    const status = {
      agent: "claude-code" as const,
      state: "usage_limit" as const,
      retryAt: null,
      detail: "weekly limit",
      at: "2026-11-30T18:00:00.000Z",
    };
    inTransaction(room.store, (tx) => putProviderStatus(tx, { ...status, deviceId: "device" }));
    inTransaction(room.store, (tx) => putProviderStatus(tx, { ...status, deviceId: "another", agent: "codex" }));
    expect(await agentOf("claude-code")).toMatchObject({ provider: { state: "usage_limit", detail: "weekly limit" } });
    expect(await agentOf("codex")).toMatchObject({ provider: null });
  });
});

describe("asking a program", () => {
  it("ends one that never answers, with all that it started", async () => {
    room.writeProgram("hang", `sleep 1000 & echo $! > "$HOME/child"; echo early; wait`);
    const ask = createAskProgram({ PATH: process.env.PATH ?? "", HOME: room.folder }, 300);
    expect(await ask([join(room.folder, "bin/hang")])).toEqual({ exitCode: null, stdout: "early\n" });
    const child = readFileSync(join(room.folder, "child"), "utf8").trim();
    await expect.poll(() => stateOf(child)).toMatch(/gone|Z/);
  });

  it("keeps what it says within bounds, and gives it nothing of a run", async () => {
    const ask = createAskProgram({ PATH: process.env.PATH ?? "", CODEHANDS_RUN_ID: "r", CLAUDECODE: "1", KEEP: "k" });
    expect((await ask(["/bin/sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x"])).stdout.length).toBe(64 * 1024);
    expect((await ask(["/bin/sh", "-c", "echo [$CODEHANDS_RUN_ID$CLAUDECODE$KEEP]; cat"])).stdout).toBe("[k]\n");
    expect(await ask(["/gone/program"])).toEqual({ exitCode: null, stdout: "" });
  });
});

describe("signed in, without asking the provider", () => {
  const never = () => Promise.reject(new Error("nobody may be asked"));
  it.each(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"])(
    "%s is enough for Claude Code",
    async (name) => {
      expect(
        await isClaudeSignedIn({ command: ["x"], versionText: "", environment: { [name]: "dummy" }, ask: never }),
      ).toBe(true);
    },
  );

  it("Codex: by its own files", async () => {
    const folder = join(room.folder, ".codex");
    mkdirSync(folder);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const signedIn = () => isCodexSignedIn({ HOME: room.folder });
    expect(await signedIn()).toBe(false);
    write("auth.json", '{"OPENAI_API_KEY":null,"tokens":null}');
    expect(await signedIn()).toBe(false);
    write("config.toml", 'model_provider = "mock"\n');
    expect(await signedIn()).toBe("unknown");
    write("auth.json", '{"OPENAI_API_KEY":null,"tokens":{"access_token":"dummy"}}');
    expect(await signedIn()).toBe(true);
    expect(await isCodexSignedIn({ HOME: "/nowhere", CODEX_API_KEY: "dummy" })).toBe(true);
  });
});

function stateOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0] ?? "";
  } catch {
    return "gone";
  }
}

it("a relative entry of PATH names no program", async () => {
  room.writeProgram("tool", "true");
  expect(await findProgram("tool", `bin:${join(room.folder, "bin")}`)).toBe(join(room.folder, "bin/tool"));
  expect(await findProgram("tool", ".:bin:")).toBeNull();
  expect(await findProgram("./bin/tool", "")).toBeNull();
});
