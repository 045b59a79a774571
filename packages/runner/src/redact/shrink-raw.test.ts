import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shrinkRaw } from "./shrink-raw.ts";

const bytes = randomBytes(4_500_000);
const blob = bytes.toString("base64");

describe("shrinkRaw", () => {
  test("C014: an image that is in a line twice becomes two notes of its size and sha256; the rest of the line is kept", () => {
    const source = { type: "base64", media_type: "image/png", data: blob };
    const line = {
      type: "user",
      content: [{ type: "image", source }],
      tool_use_result: { file: { base64: blob } },
      n: 1,
    };
    const small = shrinkRaw(line) as typeof line;
    const note = `[base64: 4500000 bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}]`;
    expect(small.content[0]?.source.data).toBe(note);
    expect(small.tool_use_result.file.base64).toBe(note);
    expect(JSON.stringify(small).length).toBeLessThan(600);
    expect(small).toMatchObject({ type: "user", n: 1, content: [{ source: { media_type: "image/png" } }] });
  });

  test("a blob inside a data address, inside JSON text and in lines of 76 is found", () => {
    const part = bytes.subarray(0, 9000).toString("base64");
    const wrapped = (part.match(/.{1,76}/g) ?? []).join("\n");
    const small = shrinkRaw([`<img src="data:image/png;base64,${part}">`, JSON.stringify({ data: part }), wrapped]);
    const [address, json, lines] = small as string[];
    expect(address).toMatch(/^<img src="data:image\/png;base64,\[base64: 9000 bytes, sha256 [0-9a-f]{64}\]">$/);
    expect(json).toMatch(/^\{"data":"\[base64: 9000 bytes, sha256 [0-9a-f]{64}\]"\}$/);
    expect(lines).toMatch(/^\[base64: 9000 bytes, sha256 [0-9a-f]{64}\]$/);
  });

  test("what holds no blob comes back as the same object", () => {
    const line = {
      text: "word ".repeat(4000),
      ruler: "-".repeat(9000),
      code: "const a = 1;\n".repeat(900),
      n: [1, null, true],
    };
    expect(shrinkRaw(line)).toBe(line);
  });

  test("F30: a hundred thousand levels and a key __proto__ do no harm", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(JSON.stringify(shrinkRaw(JSON.parse(deep)))).toContain("nested more than 200 levels");
    const odd = shrinkRaw(JSON.parse(`{"__proto__":{"polluted":"${blob.slice(0, 8000)}"}}`)) as object;
    expect(Object.hasOwn(odd, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
