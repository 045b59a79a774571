import { describe, expect, test } from "vitest";
import { fromAntigravity } from "./antigravity.ts";
import { fromCursor } from "./cursor.ts";
import { jsonLines } from "./recording.test-kit.ts";
import { ADAPTERS, getAdapter } from "./registry.ts";

const TURNS = { goal: "fix it", context: "on it\n- read", progress: ["read"] };

describe.each([
  ["cursor", fromCursor],
  ["antigravity", fromAntigravity],
] as const)("HO-17 %s", (_name, adapter) => {
  test.each<[string, unknown]>([
    [
      "messages",
      {
        title: "x",
        messages: [
          { role: "user", content: "fix it" },
          { role: "assistant", content: "on it\n- read" },
        ],
      },
    ],
    [
      "an array",
      [
        { role: "human", text: "fix it" },
        { role: "model", parts: [{ text: "on it\n- read" }] },
      ],
    ],
    [
      "tabs of bubbles",
      {
        tabs: [
          {
            bubbles: [
              { type: "user", text: "fix it" },
              { type: "ai", rawText: "on it\n- read" },
            ],
          },
        ],
      },
    ],
    [
      "numbers",
      {
        conversation: [
          { type: 1, text: "fix it" },
          { type: 2, text: "on it\n- read" },
        ],
      },
    ],
    [
      "parts, calls and a query tag",
      {
        chats: [
          {
            messages: [
              { role: "user", message: { content: [{ type: "text", text: "<user_query>\nfix it\n</user_query>" }] } },
              {
                role: "assistant",
                content: [
                  { type: "tool_use", text: "no" },
                  { type: "text", text: "on it\n- read" },
                ],
              },
              { role: "tool", content: "output" },
            ],
          },
        ],
      },
    ],
  ])("JSON: %s, in one line, over many lines and with a byte order mark", async (_form, value) => {
    for (const raw of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      `\ufeff\n${JSON.stringify(value, null, "\t")}\r\n`,
    ]) {
      expect(adapter(raw)).toMatchObject(TURNS);
      expect(await adapter.lines(raw.split("\n"))).toEqual(adapter(raw));
    }
  });

  test("JSON lines, also when some are broken", async () => {
    const lines = jsonLines({ role: "user", content: "fix it" }, { role: "assistant", text: "on it\n- read" });
    for (const raw of [lines, `${lines}{"role":"user","con`, `{"role":"us\n${lines}`, `${lines}nonsense\n`]) {
      expect(adapter(raw)).toMatchObject(TURNS);
      expect(await adapter.lines(raw.split("\n"))).toEqual(adapter(raw));
    }
  });

  test.each([
    ["User: fix it\nAssistant: on it\n- read\n"],
    ["**User:** fix it\n\n**Assistant:** on it\n- read"],
    ["### Human\n\nfix it\n\n### Assistant\n\non it\n- read"],
    ["# Chat\n_Exported_\n\n---\n\n_**User**_\n\nfix it\n\n---\n\n_**Cursor**_\n\non it\n- read\n\n---\n"],
    ["USER: fix it\nAI: on it\n- read"],
  ])("prose: %j", async (raw) => {
    for (const text of [raw, raw.replaceAll("\n", "\r\n"), `\ufeff${raw}`]) {
      expect(adapter(text)).toMatchObject(TURNS);
      expect(await adapter.lines(text.split("\n"))).toEqual(adapter(text));
    }
  });

  test("a speaker inside of code or of a sentence is none", () => {
    const raw =
      "User: fix it\nAssistant: look:\n```yaml\nuser: root\nassistant: none\n- no bullet\n```\nThe user: field is wrong.\n- found it";
    expect(adapter(raw)).toMatchObject({ goal: "fix it", progress: ["found it"] });
    expect(adapter(raw).context).toContain("user: root");
  });

  test("a brief: its first heading, its bullets, empty boxes as next steps", async () => {
    const raw =
      "# Add PKCE\n\nThe auth module stays framework-agnostic.\nModel: any\n\n## Rules\n\n- no new deps\n- [x] helpers\n- [ ] callback\n\n```\n- code\n```\n";
    const draft = adapter(raw);
    expect(draft).toMatchObject({ goal: "Add PKCE", progress: ["no new deps", "helpers"], next_steps: ["callback"] });
    expect(draft.context).toContain("framework-agnostic");
    expect(await adapter.lines(raw.split("\n"))).toEqual(draft);
  });

  test("a scratchpad: its first line", () => {
    expect(adapter("my scratch\n* one\n1. two\nmore")).toMatchObject({
      goal: "my scratch",
      progress: ["one", "two"],
      context: "my scratch\nmore",
    });
    expect(adapter("just one line")).toMatchObject({ goal: "just one line", context: "" });
  });

  test.each([[""], [null], ["\n \n"], ["{}"], ["[]"], ["null"], ['{"messages":5}']])("nothing of %j", (raw) => {
    expect(adapter(raw)).toMatchObject({ context: "", progress: [] });
  });

  test("a broken document is read as the prose that it is not, without throwing", () => {
    expect(adapter('{\n  "messages": [\n').progress).toEqual([]);
  });

  test("deep and hostile documents", { timeout: 10_000 }, () => {
    expect(adapter(`${"[".repeat(100_000)}${"]".repeat(100_000)}`).goal).toBe("");
    for (const raw of [
      "# ".repeat(500_000),
      `# ${" #".repeat(500_000)}x`,
      "\n".repeat(1_000_000),
      `User: ${" ".repeat(1_000_000)}x`,
      "-".repeat(1_000_000),
    ])
      expect(typeof adapter(raw).goal).toBe("string");
  });
});

test("HO-17 the registry answers to names alone", () => {
  expect(Object.keys(ADAPTERS)).toEqual(["claude-code", "codex", "cursor", "antigravity", "codehands"]);
  expect(getAdapter("cursor")).toBe(fromCursor);
  for (const name of ["nope", "__proto__", "constructor", "hasOwnProperty", ""]) expect(getAdapter(name)).toBeNull();
});
