import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapOf, recording, recordingNames } from "./replay.test-kit.ts";

/** Every line of every recording. */
const CORPUS = recordingNames().flatMap((name) => recording(name).lines);
/** Words that mean something to the parser, so that random objects reach its corners. */
const WORDS = [
  ...["type", "subtype", "message", "content", "id", "name", "input", "tool_use_id", "is_error", "result", "text"],
  ...[
    "event",
    "index",
    "delta",
    "content_block",
    "parent_tool_use_id",
    "tool_use_result",
    "tool_result_meta",
    "task_id",
  ],
  ...[
    "system",
    "init",
    "assistant",
    "user",
    "stream_event",
    "rate_limit_event",
    "tool_use",
    "tool_result",
    "Bash",
    "Edit",
  ],
  ...["Write", "Read", "Task", "ExitPlanMode", "command", "file_path", "t1", "t2", "m1", "message_start", "num_turns"],
  ...["permission_denied", "api_retry", "task_notification", "background_tasks_changed", "rate_limit_info", "resetsAt"],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "errors",
    "error",
    "session_id",
    "is_api_error_message",
    "tasks",
    "patch",
  ],
];

const word = fc.constantFrom(...WORDS);
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(word, fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(1e308)),
  tree: fc.oneof(
    { maxDepth: 5 },
    tie("leaf"),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(word, tie("tree"), { maxKeys: 8 }),
  ),
}));

/** A recorded line that was damaged: cut, doubled, a part replaced. */
const damaged = fc
  .tuple(
    fc.constantFrom(...CORPUS),
    fc.nat(),
    fc.nat(),
    fc.oneof(fc.string(), word, fc.constant("\0"), fc.constant("}{")),
  )
  .map(([line, a, b, put]) => {
    const [from = 0, to = 0] = [a % (line.length + 1), b % (line.length + 1)].sort((x, y) => x - y);
    return line.slice(0, from) + put + line.slice(to);
  });

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  tree.map((value) => JSON.stringify(value) ?? ""),
  damaged,
  fc.constantFrom(...CORPUS),
  fc.tuple(fc.constantFrom(...CORPUS), fc.constantFrom(...CORPUS)).map(([one, two]) => one + two),
  fc.constantFrom("", "\r", "\ufeff{}", "null", "[]", "1e400", "[".repeat(100_000), '{"a":'.repeat(100_000)),
);

describe("F30 hostile lines", () => {
  it("never throws, and what comes out can be stored", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (lines) => {
        const map = mapOf();
        const events = [...lines.flatMap((line) => map.line(line)), ...map.close()];
        JSON.stringify({ events, report: map.report() });
        for (const event of events) expect(event.raw).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });

  it("every finish has its start before it, and every start its finish", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...CORPUS), damaged), { maxLength: 30 }), (lines) => {
        const map = mapOf();
        const open = new Set<string>();
        for (const event of [...lines.flatMap((line) => map.line(line)), ...map.close()]) {
          if (event.type === "command.started") open.add(event.payload.callId);
          if (event.type === "command.finished") expect(open.delete(event.payload.callId)).toBe(true);
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("lines after a bad one are read as if it had not been there", () => {
    const good = JSON.stringify({
      type: "assistant",
      message: { id: "last", content: [{ type: "text", text: "after" }] },
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          damaged.filter((line) => !line.includes("stream_event")),
        ),
        (bad) => {
          const map = mapOf();
          map.line(bad);
          expect(map.line(good).at(-1)?.payload).toMatchObject({ text: "after" });
        },
      ),
      { numRuns: 300 },
    );
  });
});
