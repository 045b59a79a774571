import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStrict } from "./parse-strict.ts";

test("any JSON comes back as it is, with and without a byte order mark", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // fast-check never repeats a key.
      expect(parseStrict(text)).toEqual({ ok: true, value: JSON.parse(text) });
      expect(parseStrict(`\ufeff${text}`).ok).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{"a":1,"a":1}', /"a" stands twice/],
  ['{"a":1,"b":[{"c":1},{"c":1}],"\\u0061":2}', /"a" stands twice/],
  ['{"a":9007199254740993}', /9007199254740993 is too large/],
  [`[${"9".repeat(400)}]`, /too large/],
  ["{", /no JSON/],
  ["", /no JSON/],
  ["{'a':1}", /no JSON/],
])("%j is refused", (text, reason) => {
  expect(parseStrict(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test.each([
  ['{"a":{"a":{"a":1}},"b":"a\\":{\\"a"}'],
  ['{"a":"\\\\","b":"\\\\\\"a"}'],
  ["[100000000000000000000,-9007199254740992,22433050994050230,1e21,1000000000000000000000,0.1000000000000000055]"],
  ['[{"k":1},{"k":1}]'],
])("%s is taken", (text) => expect(parseStrict(text)).toEqual({ ok: true, value: JSON.parse(text) }));

test("D-HO-2 100,000 levels of text are read without a stack", () => {
  const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(parseStrict(text).ok).toBe(true);
  expect(parseStrict("[".repeat(100_000)).ok).toBe(false);
});
