import { describe, expect, it } from "vitest";
import { parseJsonLine } from "./json-line.ts";

const one = (object: object) => ({ kind: "objects", objects: [object] });

describe("parseJsonLine", () => {
  it.each([
    ["a plain line", '{"a":1}'],
    ["F30 a byte order mark", '\ufeff{"a":1}'],
    ["F30 CRLF", '{"a":1}\r'],
    ["F30 NUL bytes around it", '\0\0{"a":1}\0'],
    ["blanks around it", ' \t{"a":1}  '],
  ])("%s", (_, line) => {
    expect(parseJsonLine(line)).toEqual(one({ a: 1 }));
  });

  it.each(["", " ", "\r", "\0\0", "\ufeff"])("F30 blank line %j", (line) => {
    expect(parseJsonLine(line)).toEqual({ kind: "blank" });
  });

  it("F30 two objects on a line are two, also with brackets in strings", () => {
    expect(parseJsonLine('{"a":"}{"} {"b":"\\"{"}{"c":[{}]}')).toEqual({
      kind: "objects",
      objects: [{ a: "}{" }, { b: '"{' }, { c: [{}] }],
    });
  });

  it.each([
    "hello",
    "42",
    "null",
    '"text"',
    "[1]",
    "{",
    '{"a":1',
    '{"a":1}}',
    '{"a":1}x',
    '{"a":1}{"b"}',
    "{}{",
    '{"a":1}[2]',
    "}{",
  ])("stays text: %s", (line) => {
    expect(parseJsonLine(line)).toEqual({ kind: "text", text: line });
  });

  it("F30 what is nested 100,000 deep stays text; what is wide does not", () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(parseJsonLine(deep).kind).toBe("text");
    expect(parseJsonLine("{".repeat(100_000)).kind).toBe("text");
    const wide = `{"a":[${Array.from({ length: 5000 }, () => "[]").join(",")}]}`;
    expect(parseJsonLine(wide).kind).toBe("objects");
    expect(parseJsonLine(`{"a":"${"[".repeat(5000)}"}`).kind).toBe("objects");
  });

  it("F30 __proto__ is an ordinary key and 1e400 an ordinary number", () => {
    const parsed = parseJsonLine('{"__proto__":{"type":"result"},"n":1e400}');
    expect(parsed.kind).toBe("objects");
    if (parsed.kind !== "objects") return;
    expect(Object.keys(parsed.objects[0] ?? {})).toEqual(["__proto__", "n"]);
    expect(({} as { type?: string }).type).toBeUndefined();
  });
});
