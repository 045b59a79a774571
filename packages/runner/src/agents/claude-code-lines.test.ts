import { describe, expect, it } from "vitest";
import { answers, calls, feed, init, result, says, texts, told } from "./claude-lines.test-kit.ts";
import { mapOf } from "./replay.test-kit.ts";

describe("Claude Code's lines: the mapping", () => {
  it("one line with several blocks becomes several events, each with the line in raw", () => {
    const line = {
      message: {
        id: "m",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "First" },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
          { type: "tool_use", id: "t2", name: "PowerShell", input: { command: "dir" } },
        ],
      },
      type: "assistant",
    };
    const events = feed(mapOf(), line);
    expect(told(events)).toEqual([
      ["message", { text: "First", role: "agent" }],
      ["command.started", { command: "ls", tool: "Bash", callId: "t1" }],
      ["command.started", { command: "dir", tool: "PowerShell", callId: "t2" }],
    ]);
    for (const event of events) expect(event.raw).toEqual(line);
  });

  it("the order of keys does not matter", () => {
    const map = mapOf();
    feed(map, '{"duration_api_ms":1,"num_turns":1,"is_error":false,"result":"x","subtype":"success","type":"result"}');
    expect(map.report().result?.text).toBe("x");
  });

  it("init starts a run once", () => {
    const map = mapOf({ resumed: true, phase: "execute" });
    expect(told(feed(map, init(), init()))).toEqual([
      [
        "task.started",
        {
          agent: "claude-code",
          model: "m",
          cwd: "/repo",
          agentSessionId: "s-1",
          runId: "run-1",
          phase: "execute",
          resumed: true,
        },
      ],
    ]);
  });

  it("C026 a resume that names another session: the newest one counts", () => {
    const map = mapOf();
    feed(map, init("old"), init("new"));
    expect(map.report().agentSessionId).toBe("new");
  });

  it("C024 no session id: null, and an id that would be an option of the program is none", () => {
    const map = mapOf();
    expect(feed(map, { type: "system", subtype: "init" })[0]?.payload).toMatchObject({ agentSessionId: null });
    feed(map, init("--dangerously-skip-permissions"));
    expect(map.report().agentSessionId).toBeNull();
  });

  it("a helper's text names the helper and is not the summary", () => {
    const map = mapOf();
    const call = calls("t1", "Task", { subagent_type: "Explore", description: "look" });
    const events = feed(
      map,
      call,
      says("Found it.", "m-9", { parent_tool_use_id: "t1" }),
      says("All done.", "m-10"),
      result({ result: "" }),
    );
    expect(events.map((event) => event.payload)).toMatchObject([
      { subagent: "Explore" },
      { subagent: "Explore" },
      { role: "agent" },
    ]);
    expect(map.report().result?.text).toBe("All done.");
  });

  it("in the plan phase the words are the plan", () => {
    const map = mapOf({ phase: "plan" });
    const events = feed(map, says("First A, then B."), result({ result: "First A, then B." }));
    expect(events[0]?.payload).toEqual({ text: "First A, then B.", role: "plan", phase: "plan" });
    expect(map.report().result?.text).toBe("First A, then B.");
  });
});

describe("Claude Code's lines: what is no known line", () => {
  it("a line that is not JSON becomes a message with the raw text", () => {
    expect(feed(mapOf(), "Segmentation fault")).toEqual([
      { type: "message", payload: { text: "Segmentation fault", role: "notice" }, raw: "Segmentation fault" },
    ]);
  });

  it("a huge line that is not JSON is cut, and says how long it was", () => {
    const [event] = feed(mapOf(), "x".repeat(1_000_000));
    expect(event).toMatchObject({ payload: { truncated: true, bytes: 1_000_000 } });
    expect(JSON.stringify(event).length).toBeLessThan(200_000);
  });

  it("an object without a type is shown; an unknown type once; known silent ones never", () => {
    const map = mapOf();
    expect(texts(feed(map, { a: 1 }))).toEqual(['{"a":1}']);
    const first = feed(map, { type: "future", a: 1 });
    expect(texts(first)).toEqual(["The agent printed a line of a kind that is not known here: future"]);
    expect(first[0]?.raw).toEqual({ type: "future", a: 1 });
    expect(feed(map, { type: "future", a: 2 })).toEqual([]);
    expect(
      feed(map, { type: "system", subtype: "future" }, { type: "control_response" }, { type: "keep_alive" }),
    ).toEqual([]);
  });

  it("F30 __proto__ and constructor are no fields, and 1e400 is no cost", () => {
    const map = mapOf();
    feed(map, '{"__proto__":{"type":"result","is_error":true}}');
    expect(map.report().result).toBeNull();
    feed(map, calls("t1", "constructor", {}), answers("t1", "x"));
    feed(
      map,
      '{"type":"result","subtype":"success","is_error":false,"result":"x","total_cost_usd":1e400,"num_turns":1e400}',
    );
    expect(map.report().result).toMatchObject({ costUsd: null, numTurns: null });
  });
});
