import fc from "fast-check";
import { expect, test } from "vitest";
import { example, nested, small } from "../packet/example.test-kit.ts";
import { canonicalize } from "./canonicalize.ts";
import { computeHash } from "./compute-hash.ts";
import { computeId } from "./compute-id.ts";

test("HO-10 the text is compact, sorted at every depth, and without the top-level id alone", () => {
  expect(canonicalize({ id: "x", b: [3, { d: 1, c: null }], a: { id: true } })).toBe(
    '{"a":{"id":true},"b":[3,{"c":null,"d":1}]}',
  );
  expect(canonicalize({ id: "x" })).toBe("{}");
  expect(canonicalize([])).toBe("[]");
  expect(canonicalize("a")).toBe('"a"');
  expect(canonicalize(example())).toMatch(
    /^\{"artifacts":\[\{"note":"new helper module","path":"src\/auth\/pkce\.ts"\}\],/,
  );
});

test("HO-10 values as JSON.stringify writes them: no normalisation, lone surrogates as escapes", () => {
  for (const value of [0, -0, 1e21, 1e-7, 5e-324, 123456789.125, "é", "e\u0301", "\u2028", "\ud800", '"\\/\b'])
    expect(canonicalize([value])).toBe(JSON.stringify([value]));
});

test("HO-10 the same value without an id, with any id, with keys in another order", () => {
  const { id, ...rest } = example();
  expect(computeId(rest)).toBe(id);
  expect(computeId({ id: "other", ...rest })).toBe(id);
  expect(computeHash(canonicalize(rest))).toBe(id);
});

test("HO-10 the hash of a text is that of its UTF-8 bytes", () => {
  expect(computeHash("hello world")).toBe("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
  expect(computeHash(Buffer.from("日本"))).toBe(computeHash("日本"));
});

test.each([
  ["undefined", small({ state: { a: undefined } }), "state.a"],
  ["NaN", small({ state: { a: [1, Number.NaN] } }), "state.a[1]"],
  ["a Date", small({ state: { a: new Date(0) } }), "state.a"],
  ["a Map", small({ state: { a: new Map() } }), "state.a"],
  ["a bigint", small({ version: 1n }), "version"],
  ["a function", small({ state: { toJSON: () => 1 } }), "state.toJSON"],
])("D-HO-2 %s has no canonical text, and the error says where", (_name, value, path) => {
  expect(() => canonicalize(value)).toThrow(
    expect.objectContaining({ code: "not_json", errors: [expect.objectContaining({ path })] }),
  );
});

test("D-HO-2 256 levels have a text, 257 and 100,000 are refused without a stack overflow", () => {
  expect(canonicalize(nested(256)).length).toBeGreaterThan(256);
  for (const levels of [257, 5_000, 100_000])
    expect(() => canonicalize(nested(levels))).toThrow(
      expect.objectContaining({ code: "not_json", message: expect.stringContaining("256") }),
    );
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  expect(() => canonicalize(cycle)).toThrow(expect.objectContaining({ code: "not_json" }));
});

/** The rule itself, as plainly as it can be written. */
function plainly(value: unknown, top = true): string {
  if (Array.isArray(value)) return `[${value.map((member) => plainly(member, false)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([key]) => !(top && key === "id"));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${plainly(member, false)}`).join(",")}}`;
}

test("HO-10 any JSON has the text of the rule, and is not changed by it", () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("id", "10", "9", "007", "__proto__", "\uffff", "\u{10000}", "a", "B"),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.jsonValue(), tie("array"), tie("object")),
    array: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(key, tie("value"), { maxKeys: 6 }),
  }));
  fc.assert(
    fc.property(value.object, (record) => {
      const before = JSON.stringify(record);
      expect(canonicalize(record)).toBe(plainly(record));
      expect(JSON.stringify(record)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

test("HO-10 a value cannot write itself", () => {
  const writes = { toJSON: () => "anything" };
  for (const value of [writes, Object.assign([], writes), Object.create(Object.assign(Object.create(null), writes))])
    expect(() => canonicalize({ value })).toThrow(expect.objectContaining({ code: "not_json" }));
});
