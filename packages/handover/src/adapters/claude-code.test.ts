import { describe, expect, test } from "vitest";
import { fromClaudeCode } from "./claude-code.ts";
import { jsonLines, recording } from "./recording.test-kit.ts";

const user = (content: unknown, more: object = {}) => ({ type: "user", message: { role: "user", content }, ...more });
const agent = (content: unknown, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", content },
  ...more,
});
const text = (words: string) => [{ type: "text", text: words }];

describe("HO-17 Claude Code", () => {
  test("the latest user message, the last assistant message, the bullets of all of them once each and in order", () => {
    const draft = fromClaudeCode(
      jsonLines(
        user("help me add OAuth"),
        agent("Progress:\n- wrote the parser\n- added tests\n1. wired the CLI"),
        user(text("actually, use PKCE")),
        agent([
          { type: "thinking", thinking: "- no" },
          { type: "tool_use", name: "Bash", input: {} },
          ...text("- added tests\n* fixed a bug"),
        ]),
      ),
    );
    expect(draft).toEqual({
      goal: "actually, use PKCE",
      context: "- added tests\n* fixed a bug",
      progress: ["wrote the parser", "added tests", "wired the CLI", "fixed a bug"],
      state: {},
      next_steps: [],
      open_questions: [],
      artifacts: [],
    });
  });

  test("agent and from_session are there when they are given", () => {
    expect(fromClaudeCode(jsonLines(user("g")), { agent: "claude", from_session: "s" })).toMatchObject({
      agent: "claude",
      from_session: "s",
    });
    expect(Object.keys(fromClaudeCode(jsonLines(user("g"))))).not.toContain("agent");
  });

  test.each([
    [5, ["s15", "s16", "s17", "s18", "s19"]],
    [0, []],
    [1, ["s19"]],
    [undefined, Array.from({ length: 12 }, (_, at) => `s${at + 8}`)],
    [-1, Array.from({ length: 12 }, (_, at) => `s${at + 8}`)],
    [1.5, Array.from({ length: 12 }, (_, at) => `s${at + 8}`)],
  ])("max_progress %s", (most, progress) => {
    const bullets = Array.from({ length: 20 }, (_, at) => `- s${at}`).join("\n");
    expect(
      fromClaudeCode(jsonLines(user("g"), agent(bullets)), most === undefined ? {} : { max_progress: most }).progress,
    ).toEqual(progress);
  });

  test.each([
    [""],
    [null],
    [undefined],
    ["\ufeff"],
    ["not json\n{ half"],
    ["[1,2]\n3\nnull\n{}\n"],
    ['{"type":"user"}\n{"message":3}\n'],
  ])("an empty draft of %j", (raw) =>
    expect(fromClaudeCode(raw)).toMatchObject({ goal: "", context: "", progress: [] }),
  );

  test("parts of one message that stand in several lines are one message", () => {
    const part = (words: string) => ({
      type: "assistant",
      message: { id: "m1", role: "assistant", content: text(words) },
    });
    expect(fromClaudeCode(jsonLines(user("g"), part("one"), part("two"))).context).toBe("one\n\ntwo");
  });

  test("a call that changed a file makes an artifact, one that failed or went outside does not", () => {
    const call = (id: string, path: string) =>
      agent([{ type: "tool_use", id, name: "Edit", input: { file_path: path } }]);
    const result = (id: string, failed: boolean) =>
      user([{ type: "tool_result", tool_use_id: id, is_error: failed, content: "x" }]);
    const draft = fromClaudeCode(
      jsonLines(
        { ...user("g"), cwd: "/repo" },
        ...[
          call("1", "/repo/src/a.ts"),
          call("2", "/repo/src/b.ts"),
          call("3", "/etc/passwd"),
          call("4", "/repo/../x"),
        ],
        ...[result("1", false), result("2", true), result("3", false), result("4", false)],
      ),
    );
    expect(draft.artifacts).toEqual([{ path: "src/a.ts" }]);
  });

  test("the agent's own list: what is done is progress, the rest comes next", () => {
    const todos = (statuses: string[]) =>
      agent([
        {
          type: "tool_use",
          id: "t",
          name: "TodoWrite",
          input: { todos: statuses.map((status, at) => ({ content: `step ${at}`, status })) },
        },
      ]);
    const draft = fromClaudeCode(
      jsonLines(user("g"), todos(["in_progress", "pending"]), todos(["completed", "in_progress"])),
    );
    expect(draft).toMatchObject({ progress: ["step 0"], next_steps: ["step 1"] });
  });
});

test("HO-17 what was left behind by going back to an earlier turn is neither progress nor context", () => {
  const line = (uuid: string, parentUuid: string | null, turn: object) => ({ ...turn, uuid, parentUuid });
  const lines = [
    line("1", null, user("first")),
    line("2", "1", agent("- kept")),
    line("3", "2", user("a wrong turn")),
    line("4", "3", agent("- left behind\n- kept")),
    line("5", "4", agent("- [ ] left behind as well")),
    line("6", "2", user("another turn")),
  ];
  expect(fromClaudeCode(jsonLines(...lines))).toMatchObject({
    goal: "another turn",
    context: "",
    progress: ["kept"],
    next_steps: [],
  });
  const after = line("7", "6", agent("- left behind"));
  expect(fromClaudeCode(jsonLines(...lines, after))).toMatchObject({
    context: "- left behind",
    progress: ["kept", "left behind"],
  });
  // Calls that ran side by side are no way back.
  const parallel = [
    line("1", null, user("g")),
    line("2", "1", agent("- one")),
    line("3", "2", agent([{ type: "tool_use", id: "a", name: "Bash", input: { command: "ls" } }])),
    line("4", "3", agent("- two")),
    line("5", "3", user([{ type: "tool_result", tool_use_id: "a", content: "x" }])),
    line("6", "4", user("[Request interrupted by user]")),
  ];
  expect(fromClaudeCode(jsonLines(...parallel)).progress).toEqual(["one", "two"]);
});

describe("D-HO-9 no text of the program itself is taken as the goal", () => {
  const asides: [string, object][] = [
    ["interrupted", user(text("[Request interrupted by user]"))],
    ["interrupted in a tool", user("[Request interrupted by user for tool use]")],
    ["a side chain", user("- do the helper's work", { isSidechain: true })],
    ["a subagent of the stream", user("do the helper's work", { parent_tool_use_id: "toolu_1" })],
    ["meta", user("Caveat", { isMeta: true })],
    ["a tool's result", user([{ type: "tool_result", tool_use_id: "1", content: "output" }])],
    [
      "a command",
      user(
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
      ),
    ],
    ["a command's output", user("<local-command-stdout>done</local-command-stdout>")],
    ["a reminder", user("<system-reminder>\nbe kind\n</system-reminder>")],
    ["half a reminder", user("<system-reminder>\nbe ki")],
    ["a notification", user("<task-notification>\n<task-id>1</task-id>\n</task-notification>")],
    ["a notification by its origin", user("a task ended", { origin: { kind: "task-notification" } })],
    ["a summary", user("This session is being continued from a previous conversation that ran out of context.")],
    ["a summary by its mark", user("what was said", { isCompactSummary: true })],
  ];

  test.each(asides)("%s", (_name, line) => {
    const draft = fromClaudeCode(jsonLines(user("the real goal"), agent("- real"), line));
    expect(draft).toMatchObject({ goal: "the real goal", context: "- real", progress: ["real"] });
  });

  test.each([
    ["a side chain", agent("- helper's bullet", { isSidechain: true })],
    ["a subagent of the stream", agent("- helper's bullet", { parent_tool_use_id: "toolu_1" })],
    ["the program", { type: "assistant", message: { model: "<synthetic>", content: text("No response requested.") } }],
    ["an error", agent("API Error: 500", { isApiErrorMessage: true })],
  ])("nor what %s says as the context", (_name, line) => {
    expect(fromClaudeCode(jsonLines(user("g"), agent("said"), line))).toMatchObject({ context: "said", progress: [] });
  });

  test("what a person said beside a reminder stays", () => {
    const mixed = user(
      text("<system-reminder>x</system-reminder>\nfix <b>this</b> <system-reminder>y</system-reminder>"),
    );
    expect(fromClaudeCode(jsonLines(mixed)).goal).toBe("fix <b>this</b>");
    expect(fromClaudeCode(jsonLines(user("what does <system-reminder> mean?"))).goal).toBe(
      "what does <system-reminder> mean?",
    );
  });
});

describe("D-HO-10 no empty drafts of the stream of claude --output-format stream-json", () => {
  test("what the agent said stands for the prompt, which the stream does not hold", () => {
    const draft = fromClaudeCode(recording("claude-success"));
    expect(draft.goal).toBe("Continue the task that began with: I will run the tests and read the file.");
    expect(draft.context).not.toBe("");
  });

  test("a prompt that the caller knows is the goal", () => {
    expect(fromClaudeCode(recording("claude-success"), { goal: "Fix it" }).goal).toBe("Fix it");
  });

  test("the result alone, as --output-format json prints it", () => {
    expect(fromClaudeCode('{"type":"result","subtype":"success","is_error":false,"result":"All done."}')).toMatchObject(
      {
        goal: "Continue the task that began with: All done.",
        context: "All done.",
      },
    );
  });
});

test("D-HO-15 secrets do not come along", () => {
  const secret = `sk-ant-${"a1B2".repeat(10)}`;
  const draft = fromClaudeCode(
    jsonLines(
      user(`use ${secret}`),
      agent(`- put ${secret} into .env\n\nAPI_TOKEN=abcdefgh12345 postgres://me:hunter22@db/x`),
    ),
  );
  expect(JSON.stringify(draft)).not.toMatch(/a1B2|hunter22|abcdefgh12345/);
  expect(draft.goal).toBe("use [redacted]");
});

test("a pasted log does not make a goal of a megabyte, and half a character no packet", () => {
  const draft = fromClaudeCode(jsonLines(user(`look: ${"log line\n".repeat(200_000)}end`), agent("x\ud83c")));
  expect(draft.goal.length).toBeLessThan(34_000);
  expect(draft.goal.startsWith("look: ") && draft.goal.endsWith("end")).toBe(true);
  expect(draft.context).toBe("x\ufffd");
});
