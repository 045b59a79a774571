import { AGENT_KINDS } from "@codehands/contracts";
import { describe, expect, it } from "vitest";
import type { AgentInvocation } from "./agent-door.ts";
import { claudeCode } from "./claude-code.ts";
import { agentDoor } from "./pick-agent.ts";
import { recording, replay } from "./replay.test-kit.ts";

const INVOCATION: AgentInvocation = {
  sessionId: "3f0f3e1e-0000-4000-8000-000000000001",
  resumeId: null,
  prompt: "Fix the failing test.",
  model: "sonnet",
  phase: "single",
  remainingUsd: 0.5,
  testCommands: ["npm test"],
  trustRepoSettings: false,
  notes: null,
  cwd: "/repo",
};
const words = (change: Partial<AgentInvocation> = {}) => claudeCode.call({ ...INVOCATION, ...change }).args;
const after = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

/** Everything that takes a fence away, of every agent that we know. */
const FULL_ACCESS = [
  "--dangerously-skip-permissions",
  "--allow-dangerously-skip-permissions",
  "--dangerously-bypass-approvals-and-sandbox",
  "bypassPermissions",
  "danger-full-access",
  "--full-auto",
  "--yolo",
  "--bare",
];

const VARIANTS: Partial<AgentInvocation>[] = [
  {},
  { phase: "plan" },
  { phase: "execute", resumeId: "abc" },
  { resumeId: "abc", fork: true },
  { trustRepoSettings: true, notes: "Be careful." },
  { model: null, testCommands: [] },
  { testCommands: ["pnpm test", "make check"] },
];

describe("Claude Code's command line", () => {
  it("is exactly this", () => {
    expect(words()).toEqual([
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      "--session-id",
      "3f0f3e1e-0000-4000-8000-000000000001",
      "--model",
      "sonnet",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Bash(npm test)",
      "--max-budget-usd",
      "0.5",
      "--strict-mcp-config",
      "--setting-sources",
      "user",
    ]);
  });

  it.each(AGENT_KINDS.flatMap((kind) => VARIANTS.map((change) => ({ kind, change }))))(
    "no full-access flag, ever: $kind $change",
    ({ kind, change }) => {
      const door = agentDoor(kind);
      if (door === null) return expect(["codex", "air"]).toContain(kind);
      const { args, env } = door.call({ ...INVOCATION, ...change });
      const all = [...door.program, ...args, ...Object.entries(env).flat()].join("\n");
      for (const flag of FULL_ACCESS) expect(all).not.toContain(flag);
    },
  );

  it.each(VARIANTS)("no bare file tool in the allow list: %o", (change) => {
    const args = words(change);
    const from = args.indexOf("--allowedTools") + 1;
    const rules = args.slice(from, args.indexOf("--max-budget-usd"));
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule).toMatch(/^Bash\(.+\)$/);
  });

  it("allows each test command by a rule of its own, and npm test when none is named", () => {
    expect(words({ testCommands: ["pnpm test", " make check "] })).toEqual(
      expect.arrayContaining(["--allowedTools", "Bash(pnpm test)", "Bash(make check)", "--max-budget-usd"]),
    );
    expect(after(words({ testCommands: [] }), "--allowedTools")).toBe("Bash(npm test)");
    expect(after(words({ testCommands: [" "] }), "--allowedTools")).toBe("Bash(npm test)");
  });

  it("gives the prompt by stdin, so that no process list shows it", () => {
    const call = claudeCode.call({ ...INVOCATION, prompt: "a private prompt" });
    expect(call.stdin).toBe("a private prompt");
    expect([...call.args, ...Object.values(call.env)].join(" ")).not.toContain("private");
    // The recorded program took its prompt from there: it answered it.
    expect(recording("prompt-on-stdin").argv.slice(0, 3)).toEqual(["claude", "-p", "--output-format"]);
    expect(replay(recording("prompt-on-stdin")).end.type).toBe("task.finished");
  });

  it("plans in plan mode and works in acceptEdits", () => {
    expect(after(words({ phase: "plan" }), "--permission-mode")).toBe("plan");
    expect(after(words({ phase: "execute" }), "--permission-mode")).toBe("acceptEdits");
  });

  it("reads the repository's own settings only after they were trusted", () => {
    expect(after(words(), "--setting-sources")).toBe("user");
    expect(after(words({ trustRepoSettings: true }), "--setting-sources")).toBe("user,project,local");
  });

  it("resumes the agent's own session, or a copy of it under our id", () => {
    expect(words({ resumeId: "abc" })).toEqual(expect.arrayContaining(["--resume", "abc"]));
    expect(words({ resumeId: "abc" })).not.toContain("--session-id");
    expect(words({ resumeId: "abc", fork: true }).join(" ")).toContain(
      `--resume abc --fork-session --session-id ${INVOCATION.sessionId}`,
    );
  });

  it.each(["", "--dangerously-skip-permissions", "-c", "a b", "x".repeat(200)])(
    "refuses to resume a session named %j",
    (resumeId) => {
      expect(() => words({ resumeId })).toThrow(expect.objectContaining({ code: "cannot_resume" }));
    },
  );

  it.each([
    [0.5, "0.5"],
    [0.19670000000000004, "0.1967"],
    [2, "2"],
    [0, "0.0001"],
    [-1, "0.0001"],
  ])("passes the remaining budget %d as %s", (remaining, word) => {
    expect(after(words({ remainingUsd: remaining }), "--max-budget-usd")).toBe(word);
  });

  it("hands notes over beside the prompt, never as an option", () => {
    expect(after(words({ notes: "--model opus" }), "--append-system-prompt")).toMatch(/^Notes .*\n\n--model opus$/s);
    expect(words({ notes: " " })).not.toContain("--append-system-prompt");
  });
});

describe("agentDoor", () => {
  it("knows Claude Code and the sample agent; codex and air are not there yet", () => {
    expect(agentDoor("claude-code")?.kind).toBe("claude-code");
    expect(agentDoor("sample")?.kind).toBe("sample");
    expect(agentDoor("codex")).toBeNull();
    expect(agentDoor("air")).toBeNull();
    expect(agentDoor("toString" as never)).toBeNull();
  });
});
