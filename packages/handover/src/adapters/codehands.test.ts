import { expect, test } from "vitest";
import { pack } from "../construct/pack.ts";
import { fromCodehands } from "./codehands.ts";
import { jsonLines, recording } from "./recording.test-kit.ts";

const event = (type: string, payload: object) => ({
  sessionId: "s1",
  seq: 1,
  type,
  at: "2026-01-01T00:00:00Z",
  payload,
});

test("D-HO-10 a recorded run of our own: prompt, files, commands, tests, figures", () => {
  const draft = fromCodehands(recording("codehands-success"));
  expect(draft.goal).toBe("Fix the failing test. Run npm test to check.");
  expect(draft.progress).toEqual(["ran `npm test`: exit 1", "ran `npm test`: exit 0"]);
  expect(draft.artifacts).toEqual([{ path: "src/format-date.js" }]);
  expect(draft.state).toMatchObject({
    branch: "codehands/fix-the-failing-test-run-npm-test-to-072c298a",
    base_ref: "main",
    tests: { cmd: "npm test", passed: true },
    diff_stat: expect.stringContaining("1 file changed"),
  });
  expect(JSON.stringify(draft)).not.toContain("/home/");
});

test("D-HO-10 every event counts for what it is", () => {
  const draft = fromCodehands(
    jsonLines(
      event("task.started", { agent: "claude-code", cwd: "/repo", agentSessionId: "a1" }),
      event("message", { text: "working\n- read it", role: "agent" }),
      event("message", { text: "- helper's", subagent: "t1" }),
      event("message", { text: "Nothing came for a while.", role: "notice" }),
      event("message", { text: "may not push", denied: true, tool: "Bash" }),
      event("file.changed", { path: "a.ts", change: "add" }),
      event("file.changed", { path: "b.ts", change: "update" }),
      event("file.changed", { path: "b.ts", change: "delete" }),
      event("file.changed", { path: "/etc/hosts", change: "update", outside: true }),
      event("command.finished", { command: "npm  test", exitCode: null, isError: true, denied: false }),
      event("command.finished", { command: "git push", exitCode: null, isError: true, denied: true }),
      event("command.finished", {
        command: "sleep 9",
        exitCode: null,
        isError: false,
        denied: false,
        unfinished: true,
      }),
      event("test.result", { command: "npm test", passed: false, failed: ["formats a date"] }),
      event("something.new", { text: "- no" }),
      event("task.stopped", { reason: "usage_limit" }),
    ),
    { goal: "fix it" },
  );
  expect(draft).toEqual({
    goal: "fix it",
    context: "working\n- read it\n\nRefused to the agent so far: 1 action.",
    progress: ["read it", "ran `npm test`: failed", "ran `git push`: refused", "ran `sleep 9`: did not finish"],
    state: {
      agent_session_id: "a1",
      tests: { cmd: "npm test", passed: false, failed: ["formats a date"] },
      ended: { how: "stopped", reason: "usage_limit" },
    },
    next_steps: [],
    open_questions: [],
    artifacts: [{ path: "a.ts" }],
    agent: "claude-code",
    from_session: "s1",
  });
});

test("D-HO-10 without a prompt the agent's first words stand for it; max_progress holds for all of it", () => {
  const lines = jsonLines(
    event("message", { text: "starting\n- a\n- b" }),
    ...["x", "y"].map((command) => event("command.finished", { command, exitCode: 0, isError: false, denied: false })),
  );
  expect(fromCodehands(lines).goal).toBe("Continue the task that began with: starting");
  expect(fromCodehands(lines, { max_progress: 3 }).progress).toEqual(["b", "ran `x`: exit 0", "ran `y`: exit 0"]);
  expect(fromCodehands(lines, { max_progress: 1 }).progress).toEqual(["ran `y`: exit 0"]);
  expect(fromCodehands(lines, { max_progress: 0 }).progress).toEqual([]);
  expect(fromCodehands("nonsense\n{}\n")).toMatchObject({ goal: "", progress: [] });
});

test("D-HO-2 half a character and a long name in an event do not keep the draft out of a packet", () => {
  const half = "x\ud83c";
  const draft = fromCodehands(
    jsonLines(
      { session: { id: half, prompt: half, agent: half, branch: half, baseRef: half } },
      event("task.started", { agent: half, agentSessionId: half, cwd: "/repo" }),
      event("message", { text: `- ${half}` }),
      event("file.changed", { path: `${half}.ts`, change: "add" }),
      event("command.finished", { command: half, exitCode: 0 }),
      event("test.result", { command: half, passed: false, failed: [half, "y".repeat(100_000)] }),
      event("task.failed", { reason: half }),
      event("task.finished", { result: half, diffStat: half + "z".repeat(200_000) }),
    ),
  );
  expect(pack({ ...draft, created: "2026-01-01T00:00:00Z", agent: draft.agent ?? "" }).goal).toBe("x\ufffd");
  expect(JSON.stringify(draft).length).toBeLessThan(100_000);
});

test("D-HO-15 no secret comes along in a prompt, a command or the name of a test", () => {
  const secret = `ghp_${"a1".repeat(18)}`;
  const draft = fromCodehands(
    jsonLines(
      { session: { prompt: `use ${secret}` } },
      event("command.finished", { command: `curl -H ${secret}`, exitCode: 0 }),
      event("test.result", { command: `TOKEN=${secret} npm test`, passed: true, failed: [secret] }),
      event("task.stopped", { reason: secret }),
    ),
  );
  expect(draft.goal).toBe("use [redacted]");
  expect(JSON.stringify(draft)).not.toContain("a1a1");
});
