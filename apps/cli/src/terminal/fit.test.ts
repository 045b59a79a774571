import { expect, test } from "vitest";
import { cutTo, displayWidth, padTo, wrapTo } from "./fit.ts";

const UTF8 = { utf8: true };

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["👩", 2],
  ["", 0],
])("%s takes %d columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test("a cut text fits, and says that something is missing", () => {
  expect(cutTo("abcdef", 6, UTF8)).toBe("abcdef");
  expect(cutTo("abcdef", 4, UTF8)).toBe("abc…");
  expect(cutTo("日本語", 4, UTF8)).toBe("日…");
  expect(cutTo("abcdef", 5, { utf8: false })).toBe("ab...");
});

test("padding counts columns, and never cuts", () => {
  expect(padTo("日", 4)).toBe("日  ");
  expect(padTo("abc", 2)).toBe("abc");
});

test("wrapping breaks between words, inside one only when it must, and keeps the indent of the first line", () => {
  expect(wrapTo("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapTo("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapTo("  - item of a list", 10)).toEqual(["  - item", "of a list"]);
  expect(wrapTo("日本語", 4)).toEqual(["日本", "語"]);
  expect(wrapTo("", 4)).toEqual([""]);
});
