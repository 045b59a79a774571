import { describe, expect, it } from "vitest";
import type { MappedEvent } from "./agent-door.ts";
import { answers, calls, feed, result, says, texts, told } from "./claude-lines.test-kit.ts";
import { mapOf } from "./replay.test-kit.ts";

describe("Claude Code's tool calls", () => {
  it("a denied command is told once as denied and finished once, without an exit code", () => {
    const map = mapOf();
    const denied = {
      type: "system",
      subtype: "permission_denied",
      tool_name: "Bash",
      tool_use_id: "t1",
      message: "No.",
    };
    const events = feed(
      map,
      calls("t1", "Bash", { command: "npm test" }),
      denied,
      denied,
      answers("t1", "No.", { is_error: true }),
    );
    expect(told(events)).toEqual([
      ["command.started", { command: "npm test", tool: "Bash", callId: "t1" }],
      ["message", { text: "Not allowed: npm test\nNo.", role: "notice", denied: true, tool: "Bash" }],
      [
        "command.finished",
        { command: "npm test", callId: "t1", isError: true, denied: true, exitCode: null, output: "No." },
      ],
    ]);
    expect(map.report().denied).toBe(1);
  });

  it("a denied or failed edit changed nothing; one that went well did, and outside of the worktree is marked", () => {
    const map = mapOf();
    const events = feed(
      map,
      calls("t1", "Write", { file_path: "/etc/x" }),
      { type: "system", subtype: "permission_denied", tool_name: "Write", tool_use_id: "t1", message: "No." },
      answers("t1", "No.", { is_error: true }),
      calls("t2", "Edit", { file_path: "/repo/a.js" }),
      answers("t2", "<tool_use_error>not found</tool_use_error>", { is_error: true }),
      calls("t3", "Write", { file_path: "/repo/new.js" }),
      answers("t3", "ok", { line: { tool_use_result: { type: "create" } } }),
      calls("t4", "Write", { file_path: "/repo/../up.js" }),
      answers("t4", "ok", { line: { tool_use_result: { type: "update" } } }),
      calls("t5", "MultiEdit", { file_path: "/repo/old.js" }),
      answers("t5", "ok"),
    );
    expect(events.filter((event) => event.type === "file.changed").map((event) => event.payload)).toEqual([
      { path: "new.js", tool: "Write", change: "add" },
      { path: "/up.js", tool: "Write", change: "update", outside: true },
      { path: "old.js", tool: "MultiEdit", change: "update" },
    ]);
    expect(texts(events)).toEqual(["No.", "Edit failed: not found"]);
  });

  it("file calls that were never answered count once the run went well, and not when it failed", () => {
    const lines = [calls("t1", "Edit", { file_path: "/repo/a" }), calls("t2", "Read", { file_path: "/repo/b" })];
    expect(feed(mapOf(), ...lines, result()).map(({ type }) => type)).toEqual(["file.changed", "file.read"]);
    const map = mapOf();
    expect([...feed(map, ...lines, result({ is_error: true })), ...map.close()]).toEqual([]);
  });

  it("a helper that is still at work has not carried out what nobody answered", () => {
    const call = { ...calls("t1", "Edit", { file_path: "/repo/a" }), parent_tool_use_id: "t0" };
    expect(feed(mapOf(), call, result())).toEqual([]);
  });

  it("results are matched by id, in whatever order they come, also before their call", () => {
    const events = feed(
      mapOf(),
      answers("t2", "early"),
      calls("t1", "Bash", { command: "a" }),
      calls("t2", "Bash", { command: "b" }),
      answers("t1", "late"),
    );
    expect(events.map((event) => `${event.type} ${"callId" in event.payload ? event.payload.callId : ""}`)).toEqual([
      "command.started t1",
      "command.started t2",
      "command.finished t2",
      "command.finished t1",
    ]);
  });

  it("F30 an id that comes twice is one call", () => {
    const call = calls("t1", "Bash", { command: "a" });
    const events = feed(mapOf(), call, call, answers("t1", "x"), answers("t1", "x"), call);
    expect(events.map(({ type }) => type)).toEqual(["command.started", "command.finished"]);
  });

  it("the exit code is read from the words, and they are not part of the output", () => {
    const map = mapOf();
    const events = feed(
      map,
      { ...calls("t1", "Bash", { command: "make" }), timestamp: "2026-11-30T12:00:00.000Z" },
      answers("t1", "Exit code 2\n\nno rule", { is_error: true, line: { timestamp: "2026-11-30T12:00:01.500Z" } }),
      calls("t2", "Bash", { command: "true" }),
      answers("t2", "(Bash completed with no output)"),
      calls("t3", "Bash", {}),
      answers("t3", "<tool_use_error>InputValidationError</tool_use_error>", { is_error: true }),
    );
    expect(events.filter((event) => event.type === "command.finished").map((event) => event.payload)).toMatchObject([
      { exitCode: 2, output: "no rule", isError: true, durationMs: 1500 },
      { exitCode: 0, output: "", isError: false },
      { exitCode: null, isError: true, command: "" },
    ]);
  });

  it("of a long output the tail is kept: at most 64 KB, cut at a whole character", () => {
    const map = mapOf();
    const events = feed(map, calls("t1", "Bash", { command: "cat" }), answers("t1", `head${"ä".repeat(60_000)}tail`));
    const finished = events[1];
    if (finished?.type !== "command.finished") throw new Error("the command did not finish");
    const { output, truncated } = finished.payload;
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1024);
    expect(output.startsWith("ä") && output.endsWith("tail")).toBe(true);
  });

  it("a command in the background ends with its task, and is open until then", () => {
    const map = mapOf();
    const task = { type: "system", task_id: "b1", tool_use_id: "t1" };
    const first = feed(
      map,
      calls("t1", "Bash", { command: "npm test", run_in_background: true }),
      { type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "b1" }] },
      { ...task, subtype: "task_started", is_backgrounded: true },
      answers("t1", "Command running in background", { line: { tool_use_result: { backgroundTaskId: "b1" } } }),
    );
    expect(first.map(({ type }) => type)).toEqual(["command.started"]);
    expect(map.report().open).toBe(1);
    const last = feed(map, {
      ...task,
      subtype: "task_notification",
      status: "failed",
      summary: "failed with exit code 1",
    });
    expect(last.map((event) => event.payload)).toMatchObject([{ exitCode: 1, isError: true }, { passed: false }]);
    expect(map.report().open).toBe(0);
  });

  it("C018 a test run in the background that went well is not judged: its output was never seen", () => {
    const map = mapOf();
    feed(
      map,
      calls("t1", "Bash", { command: "npm test" }),
      answers("t1", "", { line: { tool_use_result: { backgroundTaskId: "b1" } } }),
    );
    const events = feed(map, {
      type: "system",
      subtype: "task_notification",
      tool_use_id: "t1",
      task_id: "b1",
      status: "completed",
      summary: "ok",
    });
    expect(events.map(({ type }) => type)).toEqual(["command.finished"]);
  });

  it("a helper in the background keeps the run open until it is done", () => {
    const map = mapOf();
    const task = { type: "system", task_id: "a1", tool_use_id: "t1" };
    feed(
      map,
      calls("t1", "Task", { description: "look" }),
      { ...task, subtype: "task_started", is_backgrounded: true },
      answers("t1", "launched"),
    );
    expect(map.report().open).toBe(1);
    feed(map, { ...task, subtype: "task_updated", patch: { status: "completed" } });
    expect(map.report().open).toBe(0);
  });

  it("close ends what is still open, once, with the line that opened it", () => {
    const map = mapOf();
    const call = calls("t1", "Bash", { command: "sleep 99" });
    feed(map, call);
    expect(map.report().open).toBe(1);
    expect(map.close()).toEqual([
      {
        type: "command.finished",
        payload: {
          command: "sleep 99",
          callId: "t1",
          isError: true,
          denied: false,
          exitCode: null,
          output: "",
          unfinished: true,
        },
        raw: call,
      },
    ]);
    expect(map.close()).toEqual([]);
  });

  it("an agent that never ends its calls stays bounded, and each command still ends once", () => {
    const map = mapOf();
    const open = new Set<string>();
    const note = (events: readonly MappedEvent[]) => {
      for (const event of events) {
        if (event.type === "command.started") open.add(event.payload.callId);
        if (event.type === "command.finished") expect(open.delete(event.payload.callId)).toBe(true);
      }
    };
    for (let index = 0; index < 3000; index += 1) note(feed(map, calls(`t${index}`, "Bash", { command: "sleep" })));
    expect(map.report().open).toBe(1000);
    note(map.close());
    expect([open.size, map.report().open]).toEqual([0, 0]);
  });

  it("words that go on under one message's id for ever do not grow for ever", () => {
    const map = mapOf();
    const line = JSON.stringify(says("x".repeat(1_000_000), "m-1"));
    for (let index = 0; index < 5; index += 1) map.line(line);
    feed(map, result({ result: "" }));
    expect(map.report().result?.text.length).toBeLessThan(2_100_000);
  });
});
