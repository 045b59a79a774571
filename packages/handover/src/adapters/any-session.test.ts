import fc from "fast-check";
import { expect, test } from "vitest";
import { pack } from "../construct/pack.ts";
import { resume } from "../render/resume.ts";
import { linesOf } from "../transcript/lines-of.ts";
import { ADAPTERS } from "./registry.ts";

/** Words that adapters look for, so that what is made up by chance gets past their first questions. */
const KEYS =
  "type role message content text payload item items cwd path changes status name input id tool_use_id is_error uuid session prompt sessionId plan arguments step todos command exit_code".split(
    " ",
  );
const WORDS =
  "user assistant message result event_msg response_item item.completed item_completed text tool_use tool_result Edit Bash TodoWrite command_execution file_change todo_list function_call update_plan task.started command.finished test.result file.changed agent_message AgentMessage".split(
    " ",
  );

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...WORDS),
    fc.string({ unit: "binary" }),
    fc.constantFrom("- a\n- [ ] b\n```\n- c", "\ud800", "/repo/a.ts", "/repo/\udc00", "../x"),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("record"),
  ),
  record: fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 6 }),
}));
const line = fc.oneof(
  value.map((json) => JSON.stringify(json)),
  fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 6 }).map((json) => JSON.stringify(json)),
  fc.string(),
  fc.constantFrom("User: x", "Assistant:", "# h", "```", "- [x] done", "{", "["),
);

test.each(Object.entries(ADAPTERS))(
  "HO-17 %s makes a draft that goes into a packet of anything, in both forms",
  async (_name, adapter) => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), async (lines, end) => {
        const raw = lines.join(end);
        const draft = adapter(raw, { cwd: "/repo" });
        expect(await adapter.lines(linesOf([Buffer.from(raw)]), { cwd: "/repo" })).toEqual(
          adapter(Buffer.from(raw).toString(), { cwd: "/repo" }),
        );
        expect(Object.keys(draft)).toEqual(
          expect.arrayContaining(["goal", "context", "progress", "state", "next_steps", "open_questions", "artifacts"]),
        );
        const packet = pack({
          ...draft,
          goal: draft.goal.trim() || "g",
          agent: "a",
          from_session: "s",
          created: "2026-01-01T00:00:00Z",
        });
        expect(resume(packet)).toContain("## Next steps");
        for (const { path } of packet.artifacts) expect(path).not.toMatch(/^\/|^\.\./);
      }),
      { numRuns: 400 },
    );
  },
);
