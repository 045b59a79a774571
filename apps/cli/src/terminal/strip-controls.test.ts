import { describe, expect, test } from "vitest";
import { harmlessJson } from "./harmless-json.ts";
import { showControls, stripControls, stripToLine } from "./strip-controls.ts";

const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("text of agents is stripped before a terminal sees it", () => {
  test.each([
    ["clipboard by OSC 52", "a\u001b]52;c;ZXZpbA==\u0007b", "ab"],
    ["link by OSC 8", "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["title by OSC 0 ended by C1 ST", "\u001b]0;owned\u009cx", "x"],
    ["OSC as one C1 character", "a\u009d52;c;ZXZpbA==\u0007b", "ab"],
    ["colours and cursor by CSI", "\u001b[2J\u001b[1;31mred\u001b[0m", "red"],
    ["CSI as one C1 character", "\u009b31mred", "red"],
    ["DCS", 'a\u001bP$q"p\u001b\\b', "ab"],
    ["APC, PM and SOS", "a\u001b_x\u001b\\b\u001b^y\u001b\\c\u001bXz\u001b\\d", "abcd"],
    ["reset", "a\u001bcb", "ab"],
    ["charset", "a\u001b(0b", "ab"],
    ["carriage return that overwrites", "good\rbad", "goodbad"],
    ["backspace and bell", "a\b\u0007b", "ab"],
    ["delete and C1", "a\u007f\u0085b", "ab"],
    ["bidi override", "a\u202eb\u2066c", "abc"],
    ["newline and tab stay", "a\n\tb", "a\n\tb"],
    ["other scripts and emoji stay", "žluťoučký 日本 👩‍💻", "žluťoučký 日本 👩‍💻"],
  ])("%s", (_name, hostile, harmless) => {
    expect(stripControls(hostile)).toBe(harmless);
  });

  test("an introducer without an end does not swallow what follows", () => {
    expect(stripControls("\u001b]52;c;no end\nnext line")).toBe("52;c;no end\nnext line");
    expect(stripControls("\u001b[")).toBe("");
    expect(stripControls("\u001b")).toBe("");
  });

  test("what a removal joins together is harmless too", () => {
    for (const text of ["\u001b\u001b[31m[31mx", "\u001b]\u001b]0;a\u00070;b\u0007", "\u009b\u009b31m31m"]) {
      expect(stripControls(text)).not.toMatch(ACTING);
    }
  });

  test.each([
    ["introducers", "\u001b]"],
    ["C1 introducers", "\u009d"],
    ["CSI without an end", "\u001b[1;"],
    ["one OSC that never ends", "a"],
    ["escapes", "\u001b"],
  ])("10 MB of %s", (_name, part) => {
    const hostile = `\u001b]52;c;${part.repeat(10_000_000 / part.length)}`;
    expect(stripControls(hostile)).not.toMatch(ACTING);
    expect(showControls(hostile)).not.toMatch(ACTING);
  });

  test("a line stays one line", () => {
    expect(stripToLine(" a\n\u001b[31mb\t c\u2028d ")).toBe("a b cd");
  });
});

describe("in a diff everything hidden is spelled out", () => {
  test.each([
    ["escape", "\u001b[31m", "^[[31m"],
    ["carriage return", "a\r\n", "a^M\n"],
    ["C1", "\u009b", "<U+009B>"],
    ["delete", "\u007f", "^?"],
    ["bidi (Trojan Source)", "if (a\u202e)", "if (a<U+202E>)"],
    ["zero width", "ad\u200bmin", "ad<U+200B>min"],
    ["byte order mark", "\ufeffx", "<U+FEFF>x"],
    ["tag characters", "x\u{e0041}", "x<U+E0041>"],
    ["tab and newline stay", "\ta\n", "\ta\n"],
  ])("%s", (_name, hostile, shown) => {
    expect(showControls(hostile)).toBe(shown);
  });
});

test("JSON for a terminal means the same and acts on nothing", () => {
  const value = { text: "\u001b]52;c;x\u0007\u009b31m\u202e\u007f" };
  const json = harmlessJson(value);
  expect(json).not.toMatch(ACTING);
  expect(JSON.parse(json)).toEqual(value);
});
