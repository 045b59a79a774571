import { describe, expect, test } from "vitest";
import { fromCodex } from "./codex.ts";
import { jsonLines, recording } from "./recording.test-kit.ts";

const message = (role: string, words: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text: words }],
});
const record = (payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload });

describe("HO-17 Codex", () => {
  test("a rollout, with and without the envelope", () => {
    const turns = [
      message("user", "fix it"),
      message("assistant", "on it:\n- read the file\n2) fixed it"),
      message("developer", "- no"),
    ];
    for (const lines of [turns.map(record), turns])
      expect(fromCodex(jsonLines(...lines))).toMatchObject({
        goal: "fix it",
        context: "on it:\n- read the file\n2) fixed it",
        progress: ["read the file", "fixed it"],
      });
  });

  test("older rollouts tell turns as events alone", () => {
    const event = (payload: object) => ({ type: "event_msg", payload });
    const draft = fromCodex(
      jsonLines(
        event({ type: "user_message", message: "fix it" }),
        event({ type: "agent_message", message: "- done" }),
      ),
    );
    expect(draft).toMatchObject({ goal: "fix it", context: "- done", progress: ["done"] });
  });

  test.each([
    ["<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>"],
    ["# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>"],
    ["<user_instructions>\nbe kind\n</user_instructions>"],
    ["<turn_aborted>\nThe user interrupted\n</turn_aborted>"],
  ])("D-HO-9 %j is no goal", (words) => {
    expect(fromCodex(jsonLines(record(message("user", "fix it")), record(message("user", words)))).goal).toBe("fix it");
  });

  test("the plan: the last one counts", () => {
    const plan = (steps: object[]) =>
      record({ type: "function_call", name: "update_plan", arguments: JSON.stringify({ plan: steps }) });
    const draft = fromCodex(
      jsonLines(
        record(message("user", "g")),
        plan([
          { step: "a", status: "in_progress" },
          { step: "b", status: "pending" },
        ]),
        plan([
          { step: "a", status: "completed" },
          { step: "b", status: "in_progress" },
          { step: "c", status: "pending" },
        ]),
        record({ type: "function_call", name: "update_plan", arguments: "{ half" }),
      ),
    );
    expect(draft.progress).toEqual(["a"]);
  });
});

describe("D-HO-10 no empty drafts of the stream of codex exec --json", () => {
  test("what the agent said and changed", () => {
    const draft = fromCodex(recording("codex-success"), { cwd: "/repo" });
    expect(draft.goal).toBe("Continue the task that began with: I will run the tests and read the file.");
    expect(draft.context).toBe("Fixed: the month is now one based. All tests pass.");
    expect(draft.artifacts).toEqual([{ path: "src/format-date.js" }, { path: "src/new.js" }]);
    expect(fromCodex(recording("codex-success"), { goal: "Fix it" }).goal).toBe("Fix it");
  });

  test("D-HO-15 a path of the machine is not named when the folder is not known", () => {
    expect(fromCodex(recording("codex-success")).artifacts).toEqual([]);
  });

  test("lists of things to do, deleted files, changes that failed", () => {
    const item = (more: object) => ({ type: "item.completed", item: { id: "item_1", status: "completed", ...more } });
    const change = (path: string, kind: string, status: string) =>
      item({ type: "file_change", changes: [{ path, kind }], status });
    const draft = fromCodex(
      jsonLines(
        { type: "thread.started", thread_id: "t" },
        {
          type: "item.updated",
          item: {
            type: "todo_list",
            items: [
              { text: "a", completed: false },
              { text: "b", completed: false },
            ],
          },
        },
        item({
          type: "todo_list",
          items: [
            { text: "a", completed: true },
            { text: "b", completed: false },
          ],
        }),
        change("/repo/old.ts", "update", "completed"),
        change("/repo/old.ts", "delete", "completed"),
        change("/repo/no.ts", "update", "failed"),
        change("/repo/new.ts", "add", "completed"),
        item({ type: "agent_message", text: "done" }),
        item({ type: "error", message: "no" }),
      ),
      { cwd: "/repo" },
    );
    expect(draft).toMatchObject({
      progress: ["a"],
      next_steps: ["b"],
      artifacts: [{ path: "new.ts" }],
      context: "done",
    });
  });
});
