import { describe, expect, it } from "vitest";
import { answers, calls, feed, result, says, texts, told } from "./claude-lines.test-kit.ts";
import { mapOf } from "./replay.test-kit.ts";

describe("Claude Code's lines: public bugs of the field", () => {
  it("C008 two results: the last with turns counts, a later empty one is a message", () => {
    const map = mapOf();
    const empty = result({
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 0,
      result: undefined,
      errors: ["gone"],
    });
    expect(feed(map, result({ result: "Good." }))).toEqual([]);
    expect(told(feed(map, empty))).toEqual([
      ["message", { text: "The agent printed another, empty result: gone", role: "notice", severity: "warn" }],
    ]);
    expect(map.report().result).toMatchObject({ isError: false, text: "Good.", numTurns: 2 });
    feed(map, result({ result: "Better.", num_turns: 1 }));
    expect(map.report().result?.text).toBe("Better.");
  });

  it("C009 the summary is the joined text of the last message, when the result has only its first part", () => {
    const map = mapOf();
    feed(
      map,
      says("Before.", "m-1"),
      says("Part one, ", "m-2"),
      says("part two.", "m-2"),
      result({ result: "Part one, " }),
    );
    expect(map.report().result?.text).toBe("Part one, part two.");
  });

  it("C011 pieces and whole lines of one turn: each text once, none lost", () => {
    const map = mapOf();
    const piece = (event: object) => ({ type: "stream_event", event, parent_tool_use_id: null });
    const stream = (id: string, text: string) => [
      piece({ type: "message_start", message: { id } }),
      piece({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      piece({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: text.slice(0, 3) } }),
      piece({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: text.slice(3) } }),
      piece({ type: "content_block_stop", index: 0 }),
      piece({ type: "message_stop" }),
    ];
    const tool = [
      piece({ type: "message_start", message: { id: "m-3" } }),
      piece({
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "Bash", input: {} },
      }),
      piece({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"command":' },
      }),
      piece({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '"ls"}' } }),
    ];
    const events = feed(
      map,
      ...stream("m-1", "in both"),
      says("in both", "m-1"),
      ...stream("m-2", "in pieces only"),
      ...tool,
      answers("t1", "a.js"),
      says("whole only", "m-4"),
      ...stream("m-5", "the last, in pieces"),
      result({ result: "" }),
    );
    expect(texts(events)).toEqual(["in both", "in pieces only", "whole only", "the last, in pieces"]);
    expect(events.filter(({ type }) => type.startsWith("command")).map((event) => event.payload)).toMatchObject([
      { command: "ls", callId: "t1" },
      { command: "ls", output: "a.js" },
    ]);
    expect(map.report().result?.text).toBe("the last, in pieces");
    for (const event of events) expect(event.raw).toBeDefined();
  });

  it("C011 pieces that came whole afterwards are not told again, and what was cut off is told at the end", () => {
    const map = mapOf();
    const piece = (event: object) => ({ type: "stream_event", event });
    feed(
      map,
      piece({ type: "message_start", message: { id: "m-1" } }),
      piece({ type: "content_block_start", index: 0, content_block: { type: "text", text: "cut o" } }),
    );
    expect(texts(map.close())).toEqual(["cut o"]);
    expect(texts(feed(map, says("cut o", "m-1")))).toEqual([]);
  });

  it("C012 a line of 300 KB is parsed whole", () => {
    expect(texts(feed(mapOf(), says("x".repeat(300_000))))).toEqual(["x".repeat(300_000)]);
  });

  it("C014 6 MB of base64 in a result: the event is kept, the blob is replaced by its size and hash", () => {
    const map = mapOf();
    const data = Buffer.alloc(4_500_000, "picture").toString("base64");
    const image = [{ type: "image", source: { type: "base64", media_type: "image/png", data } }];
    const events = feed(
      map,
      calls("t1", "Read", { file_path: "/repo/a.png" }),
      answers("t1", image, { line: { tool_use_result: { file: { base64: data } } } }),
    );
    expect(told(events)).toEqual([["file.read", { path: "a.png", tool: "Read" }]]);
    const raw = JSON.stringify(events[0]?.raw);
    expect(raw.length).toBeLessThan(2_000);
    expect(raw).toMatch(/4500000 bytes, sha256 [0-9a-f]{64}/);
  });

  it("C015 a line that was too long is told, and the lines after it are read", () => {
    const map = mapOf();
    expect(map.oversize(20_000_000)[0]).toMatchObject({
      type: "message",
      payload: { truncated: true, bytes: 20_000_000, severity: "warn" },
    });
    expect(texts(feed(map, says("still here")))).toEqual(["still here"]);
  });

  it("C018 a test command without output is not judged", () => {
    const map = mapOf();
    const events = feed(map, calls("t1", "Bash", { command: "npm test" }), answers("t1", ""));
    expect(events.map((event) => event.payload)).toMatchObject([{}, { output: "", exitCode: 0 }]);
    expect(events).toHaveLength(2);
  });
});
