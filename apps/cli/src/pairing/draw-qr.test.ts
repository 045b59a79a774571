import { encode } from "uqr";
import { expect, test } from "vitest";
import { drawQr } from "./draw-qr.ts";

const TEXT = `https://hands.example/pair#1.${"p".repeat(22)}.${"c".repeat(43)}.${"s".repeat(22)}`;
const FACTS = { tty: true, colour: false, utf8: true, width: 80, homeFolder: "" };
const MODULES = encode(TEXT, { ecc: "L", border: 2 }).data;

/** Reads half blocks back as modules: what is drawn is light. */
function readBlocks(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => {
    const cells = [...line];
    return [cells.map((cell) => !"█▀".includes(cell)), cells.map((cell) => !"█▄".includes(cell))];
  });
}

test("half blocks carry every module, with a border", () => {
  const lines = drawQr(TEXT, FACTS) ?? [];
  expect(lines.length).toBe(Math.ceil(MODULES.length / 2));
  expect(readBlocks(lines).slice(0, MODULES.length)).toEqual(MODULES);
  expect(MODULES[0]?.includes(true)).toBe(false);
});

test("where there is only ASCII two characters are one module", () => {
  const lines = drawQr(TEXT, { ...FACTS, utf8: false, width: 200 }) ?? [];
  expect(lines.join("")).toMatch(/^[ #]+$/);
  expect(lines.map((line) => (line.match(/../g) ?? []).map((pair) => pair === "  "))).toEqual(MODULES);
});

test("with colours the background is its own, so that a light terminal is read as well", () => {
  const [line = ""] = drawQr(TEXT, { ...FACTS, colour: true }) ?? [];
  expect(line).toMatch(/^\u001b\[38;5;231;48;5;16m.*\u001b\[0m$/);
});

test("a code that does not fit is not drawn", () => {
  expect(drawQr(TEXT, { ...FACTS, width: 40 })).toBeNull();
  expect(drawQr(TEXT, { ...FACTS, utf8: false })).toBeNull();
});
