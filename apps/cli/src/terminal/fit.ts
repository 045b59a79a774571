import { iconsFor } from "./icons.ts";
import type { TerminalFacts } from "./terminal-facts.ts";

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROW_ASCII = /^[ -~]*$/;
const COMBINING = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** How many columns a text without escape sequences takes. */
export function displayWidth(text: string): number {
  if (NARROW_ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += columnsOf(char);
  return width;
}

function columnsOf(char: string): number {
  if (COMBINING.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** Cuts a text to a number of columns, with an ellipsis when something is missing. */
export function cutTo(text: string, columns: number, facts: Pick<TerminalFacts, "utf8">): string {
  if (displayWidth(text) <= columns) return text;
  const mark = iconsFor(facts).ellipsis;
  let room = columns - displayWidth(mark);
  let kept = "";
  for (const char of text) {
    room -= columnsOf(char);
    if (room < 0) break;
    kept += char;
  }
  return `${kept.trimEnd()}${mark}`;
}

/** Breaks one line of text between words, and inside a word only when it is longer than a line. */
export function wrapTo(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let taken = 0;
  for (const part of text.match(/\s*\S+/g) ?? [""]) {
    const width = displayWidth(part);
    if (taken > 0 && taken + width > columns) {
      lines.push(line);
      [line, taken] = ["", 0];
    }
    for (const char of taken === 0 && lines.length > 0 ? part.trimStart() : part) {
      const own = columnsOf(char);
      if (taken + own > columns) {
        lines.push(line);
        [line, taken] = ["", 0];
      }
      line += char;
      taken += own;
    }
  }
  return [...lines, line];
}

/** Fills a text with blanks up to a number of columns. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
